// Sensors of worlds.

#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

struct cairn_sensors : cairn::c_api::OnWorld<cairn::Sensors> {};

namespace cairn::c_api {

/// Without a list of directions, the default direction.
template <>
struct ByHand<cairn_ray_scan, RayScan> {
  static void give(cairn_ray_scan&, const RayScan&) {}
  static void take(RayScan& scan, const cairn_ray_scan& c, const std::string& what) {
    scan.origins = list_of<Vec3>(c.origins, c.origin_count, (what + ".origins").c_str());
    if (c.direction_count == 0) return;
    scan.directions = list_of<Vec3>(c.directions, c.direction_count, (what + ".directions").c_str());
  }
};

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::Sensors;

void cairn_frame_sensor_init(cairn_frame_sensor* to, size_t size) { initialise(to, size); }
void cairn_imu_sensor_init(cairn_imu_sensor* to, size_t size) { initialise(to, size); }
void cairn_contact_sensor_init(cairn_contact_sensor* to, size_t size) { initialise(to, size); }
void cairn_joint_sensor_init(cairn_joint_sensor* to, size_t size) { initialise(to, size); }
void cairn_ray_scan_init(cairn_ray_scan* to, size_t size) { initialise(to, size); }
void cairn_camera_sensor_init(cairn_camera_sensor* to, size_t size) { initialise(to, size); }
void cairn_sensor_set_init(cairn_sensor_set* to, size_t size) { initialise(to, size); }

cairn_result cairn_sensors_create(cairn_world* world, const cairn_sensor_set* set, cairn_sensors** sensors) {
  return get(world, out("sensors", sensors), [&](const cairn::World& w) {
    return cairn_sensors{world->content, Sensors(w, taken<cairn::SensorSet>(set))};
  });
}
void cairn_sensors_destroy(cairn_sensors* sensors) { delete sensors; }
cairn_result cairn_sensors_update(cairn_sensors* sensors) { return call(sensors, &Sensors::update); }

cairn_result cairn_sensors_array_count(const cairn_sensors* sensors, uint32_t* count) {
  return get(sensors, out("count", count), &Sensors::list);
}
cairn_result cairn_sensors_array_at(const cairn_sensors* sensors, uint32_t index, cairn_array* array) {
  return get(sensors, out("array", array), [&](const Sensors& s) { return array_at(s, index); });
}
cairn_result cairn_sensors_array(const cairn_sensors* sensors, const char* name, cairn_array* array) {
  return get(sensors, out("array", array), [&](const Sensors& s) { return array_of(s, name); });
}
