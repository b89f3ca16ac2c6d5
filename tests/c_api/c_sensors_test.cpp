// Sensors read the same bits by both interfaces.

#include "cairn/sensors.h"
#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

cairn_site in_c(const Site& site) {
  return {site.body,
          {site.position.x, site.position.y, site.position.z},
          {site.orientation.x, site.orientation.y, site.orientation.z, site.orientation.w}};
}

/// One of each kind, in both interfaces.
struct OneOfEach {
  OneOfEach() {
    const Site site{1, {0.1, 0.2, -0.1}, {0.1f, -0.2f, 0.3f, 0.9f}};
    cpp.frames = {{site, {2}, VelocityAxes::kSite}};
    cpp.imus = {{site}};
    cpp.contacts = {{1}, {1, 0}};
    cpp.joints = {{0, 0}};
    cpp.scans = {{.site = {1}, .origins = {{0, 0, 1}, {0.5f, 0, 1}}, .axes = RayAxes::kYaw, .range = 8},
                 {.site = {1}, .directions = {{1, 0, 0}, {0, 1, 0}}, .own_body = true}};
    cpp.cameras = {{.site = {1, {0, 0, 4}}, .width = 8, .height = 6, .range = 20}};

    frame = init(cairn_frame_sensor_init);
    frame.site = in_c(site);
    frame.reference.body = 2;
    frame.velocity_axes = CAIRN_AXES_OF_SITE;
    imu = init(cairn_imu_sensor_init);
    imu.site = in_c(site);
    contacts[0] = contacts[1] = init(cairn_contact_sensor_init);
    contacts[0].body = contacts[1].body = 1;
    contacts[1].has_other = 1;
    joint = init(cairn_joint_sensor_init);
    scans[0] = scans[1] = init(cairn_ray_scan_init);
    scans[0].site.body = scans[1].site.body = 1;
    scans[0].origins = origins;
    scans[0].origin_count = 2;
    scans[0].axes = CAIRN_RAYS_WITH_YAW;
    scans[0].range = 8;
    scans[1].directions = directions;
    scans[1].direction_count = 2;
    scans[1].own_body = 1;
    camera = init(cairn_camera_sensor_init);
    camera.site.body = 1;
    camera.site.position[2] = 4;
    camera.width = 8;
    camera.height = 6;
    camera.range = 20;
    set = init(cairn_sensor_set_init);
    set.frames = &frame;
    set.imus = &imu;
    set.contacts = contacts;
    set.joints = &joint;
    set.scans = scans;
    set.cameras = &camera;
    set.frame_count = set.imu_count = set.joint_count = set.camera_count = 1;
    set.contact_count = set.scan_count = 2;
  }
  SensorSet cpp;
  cairn_frame_sensor frame;
  cairn_imu_sensor imu;
  cairn_contact_sensor contacts[2];
  cairn_joint_sensor joint;
  float origins[6]{0, 0, 1, 0.5f, 0, 1}, directions[6]{1, 0, 0, 0, 1, 0};
  cairn_ray_scan scans[2];
  cairn_camera_sensor camera;
  cairn_sensor_set set;
};

TEST(CApiSensors, read_the_bits_of_the_cpp_interface) {
  Scene scene = tower(2);
  scene.add_articulation(hinged());
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  const OneOfEach of;
  Sensors want(cpp, of.cpp);
  cairn_sensors* const sensors = value_of(cairn_sensors_create, c.world, &of.set);
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(c.goes_on_as(cpp, 1));
    want.update();
    ASSERT_EQ(cairn_sensors_update(sensors), CAIRN_OK) << cairn_last_error();
  }
  std::uint32_t count = value_of(cairn_sensors_array_count, sensors);
  ASSERT_EQ(count, want.list().size());
  EXPECT_EQ(count, 11u);
  for (std::uint32_t i = 0; i < count; ++i) {
    const NamedArray wanted = want.list()[i];
    const cairn_array got = value_of(cairn_sensors_array_at, sensors, i);
    EXPECT_EQ(got.name, wanted.name);
    EXPECT_EQ(got.unit, wanted.unit);
    EXPECT_EQ(got.rank, wanted.view.rank);
    EXPECT_EQ(got.writable, 0);
    EXPECT_EQ(value_of(cairn_sensors_array, sensors, got.name).data, got.data);
    std::size_t size = bytes_of(wanted.view.type);
    for (int k = 0; k < got.rank; ++k) {
      EXPECT_EQ(got.shape[k], wanted.view.shape[static_cast<std::size_t>(k)]);
      size *= static_cast<std::size_t>(got.shape[k]);
    }
    EXPECT_EQ(std::memcmp(got.data, wanted.view.data, size), 0) << wanted.name;
  }
  auto array = init(cairn_array_init);
  EXPECT_TRUE(fails(cairn_sensors_array(sensors, "scan2_body", &array), "scan2_body"));
  EXPECT_TRUE(fails(cairn_sensors_array_at(sensors, count, &array), "array 11"));
  // they keep the world's memory
  cairn_world_destroy(c.world);
  c.world = nullptr;
  EXPECT_EQ(cairn_sensors_update(sensors), CAIRN_OK) << cairn_last_error();
  cairn_sensors_destroy(sensors);
  cairn_sensors_destroy(nullptr);
}

TEST(CApiSensors, that_cannot_be_are_refused_by_their_list_and_number) {
  Scene scene = tower(2);
  scene.add_articulation(hinged());
  Fixture c(scene);
  const auto refused_with = [&](const char* word, auto change) {
    OneOfEach of;
    change(of);
    cairn_sensors* sensors = nullptr;
    EXPECT_TRUE(fails(cairn_sensors_create(c.world, &of.set, &sensors), word));
    EXPECT_EQ(sensors, nullptr);
  };
  refused_with("cairn_sensor_set.frames[0].velocity_axes must be between 0 and 1, is 2",
               [](OneOfEach& of) { of.frame.velocity_axes = 2; });
  refused_with("cairn_sensor_set.scans[1].axes must be between 0 and 2, is -1",
               [](OneOfEach& of) { of.scans[1].axes = -1; });
  refused_with("cairn_sensor_set.scans[0].origins must not be null",
               [](OneOfEach& of) { of.scans[0].origins = nullptr; });
  refused_with("cairn_sensor_set.imus must not be null", [](OneOfEach& of) { of.set.imus = nullptr; });
  refused_with("cairn_camera_sensor.struct_size", [](OneOfEach& of) { of.camera.struct_size = 7; });
  refused_with("contacts[1]", [](OneOfEach& of) { of.contacts[1].other = 77; });
  refused_with("cameras[0]", [](OneOfEach& of) { of.camera.range = 0; });
}

}  // namespace
}  // namespace cairn::c_api_test
