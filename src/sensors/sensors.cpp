// Sensors: their checks, their copies on the device, and their arrays of readings.

#include "cairn/sensors.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "src/describe/attributes.h"
#include "src/exec/exact_floats.h"
#include "src/sensors/sense_context.h"
#include "src/sensors/sensed_joints.h"
#include "src/sensors/sensor_rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

/// [1] Readings of a kind in all worlds: kernels count them in 32 bits.
constexpr std::uint64_t kMaxReadings = std::uint64_t{1} << 31;

/// In double: readers of a frame should see no rounding of its quaternion's length.
kernels::Quatd unit_turn(const kernels::Quatd& q) {
  const double l = kernels::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / l, q.y / l, q.z / l, q.w / l};
}

std::string numbered(std::string_view list, std::size_t i) { return std::string(list) + "[" + std::to_string(i) + "]"; }

}  // namespace

struct Sensors::Impl {
  /// An array of readings, with its description.
  struct Readings {
    std::string name;
    const char* unit;
    const char* meaning;
    ArrayView view;
  };

  Impl(World::Impl& of, const SensorSet& given)
      : world(of), set(given), worlds(static_cast<std::uint32_t>(of.worlds.size())) {
    const exec::ExactFloats exact;
    rules::check_sensors(set);
    take_sites();
    check_bodies();
    joints.check(set.joints, world.articulations.store, worlds);
    reserve();
    take_rays();
    place();
  }

  // ---- descriptions ----

  std::uint32_t add_site(const Site& site) {
    sites.push_back(site);
    return static_cast<std::uint32_t>(sites.size() - 1);
  }
  void take_sites() {
    for (const FrameSensor& sensor : set.frames) {
      const std::uint32_t site = add_site(sensor.site);
      frames.push_back({site, add_site(sensor.reference), sensor.velocity_axes});
    }
    for (const ImuSensor& sensor : set.imus) imus.push_back(add_site(sensor.site));
    for (const RayScan& sensor : set.scans) add_scan(sensor, sensor.axes, rules::rays_of(sensor));
    for (const CameraSensor& sensor : set.cameras) add_scan(sensor, RayAxes::kSite, rules::rays_of(sensor));
  }
  template <class T>
  void add_scan(const T& sensor, RayAxes axes, const std::vector<kernels::SensorRay>& of) {
    scans.push_back({.filter = sensor.filter,
                     .range = double{sensor.range},
                     .site = add_site(sensor.site),
                     .axes = axes,
                     .sensors = sensor.sensors ? 1u : 0u,
                     .own_body = sensor.own_body ? 1u : 0u,
                     .ray = nullptr,
                     .rays = static_cast<std::uint32_t>(of.size()),
                     .distance = nullptr,
                     .body = nullptr});
    rays.insert(rays.end(), of.begin(), of.end());
  }

  void check_body(std::uint32_t body, const std::string& of) const {
    for (std::uint32_t w = 0; w < worlds; ++w) {
      if (slot_of(w, body) != kernels::kSiteGone) return;
    }
    throw InvalidArgument("Sensors: " + of + ": no world has a body " + std::to_string(body));
  }
  void check_bodies() const {
    const auto check_site = [&](const Site& site, const std::string& of) {
      if (site.body != kWorldBody) check_body(site.body, of);
    };
    each_attribute<SensorSet>([&](const auto& list) {
      const auto& sensors = set.*list.member;
      for (std::size_t i = 0; i < sensors.size(); ++i) {
        const auto& sensor = sensors[i];
        const std::string name = numbered(list.name(), i);
        if constexpr (requires { sensor.site; }) check_site(sensor.site, name + " site");
        if constexpr (requires { sensor.reference; }) check_site(sensor.reference, name + " reference");
        if constexpr (requires { sensor.body; }) {
          check_body(sensor.body, name);
          if (sensor.other) check_body(*sensor.other, name + " other");
        }
      }
    });
  }

  /// Slot of a body by its index in a world.
  std::uint32_t slot_of(std::uint32_t in, std::uint32_t body) const {
    const std::vector<std::uint32_t>& of = world.worlds[in].body_slots;
    return body < of.size() && world.slots[of[body]].alive ? of[body] : kernels::kSiteGone;
  }

  // ---- memory, and constant data ----

  std::size_t in_all(std::size_t readings) const { return readings * worlds; }

  void reserve() {
    const auto room = [&](const std::string& what, std::size_t readings) {
      if (in_all(readings) <= kMaxReadings) return;
      throw InvalidArgument("Sensors: " + what + ": at most 2^31 readings in all worlds, would be " +
                            std::to_string(in_all(readings)));
    };
    room("frames", set.frames.size());
    room("imus", set.imus.size());
    room("contacts", set.contacts.size());
    room("joints", set.joints.size());
    room("sites", sites.size());
    for (std::size_t i = 0; i < scans.size(); ++i) {
      const bool camera = i >= set.scans.size();
      room(numbered(camera ? "cameras" : "scans", camera ? i - set.scans.size() : i), scans[i].rays);
    }
    arrays.reserve(5 + 2 * scans.size());
    add(pose, "frame_pose", "m, 1", "x, y, z, then x, y, z, w: site to reference", {frames.size(), 7});
    add(velocity, "frame_velocity", "m/s, rad/s", "of the site's origin, then angular", {frames.size(), 6});
    add(imu, "imu", "m/s^2, rad/s", "specific force, then angular velocity, in the site's axes", {imus.size(), 6});
    add(force, "contact_force", "N", "on the body, world, mean of the last step", {set.contacts.size(), 3});
    add(wrench, "joint_wrench", "N, N m", "force, then torque on the link, in the joint's axes",
        {set.joints.size(), 6});
    distance.assign_zeros(in_all(rays.size()));
    seen.assign_zeros(in_all(rays.size()));
    memory.assign_zeros(in_all(imus.size()));
    sums.assign_zeros(in_all(set.contacts.size()) * kernels::kSumWords);
  }

  /// Allocates readings of a kind for all worlds, and adds their array; nothing if there are none.
  void add(exec::Buffer<float>& to, const char* name, const char* unit, const char* meaning,
           std::array<std::size_t, 2> shape) {
    if (shape[0] == 0) return;
    to.assign_zeros(in_all(shape[0] * shape[1]));
    arrays.push_back({name, unit, meaning, view_of(to.data(), shape[0], shape[1])});
  }
  template <class T>
  ArrayView view_of(T* data, std::size_t rows, std::size_t columns) const {
    const auto r = static_cast<std::int64_t>(rows), c = static_cast<std::int64_t>(columns);
    ArrayView view{.data = data, .type = element_of(T{}), .device = world.options.device, .writable = false};
    view.rank = 3;
    view.shape = {worlds, r, c};
    view.strides = {r * c, c, 1};
    return view;
  }
  template <class T>
  ArrayView view_of(T* data, std::size_t readings) const {
    ArrayView view = view_of(data, readings, 1);
    view.rank = 2;
    return view;
  }

  void take_rays() {
    ray.assign(rays);
    std::size_t first = 0;
    for (std::size_t i = 0; i < scans.size(); ++i) {
      kernels::SensedScan& scan = scans[i];
      scan.ray = ray.data() + first;
      scan.distance = distance.data() + in_all(first);
      scan.body = seen.data() + in_all(first);
      first += scan.rays;
      constexpr const char* kMeets = "index of what is met; all bits set: nothing";
      if (i < set.scans.size()) {
        const std::string name = "scan" + std::to_string(i);
        arrays.push_back(
            {name + "_distance", "m", "where nothing is met, the range", view_of(scan.distance, scan.rays)});
        arrays.push_back({name + "_body", "1", kMeets, view_of(scan.body, scan.rays)});
      } else {
        const CameraSensor& camera = set.cameras[i - set.scans.size()];
        const std::string name = "camera" + std::to_string(i - set.scans.size());
        arrays.push_back({name + "_depth", "m", "along the camera's axis; where nothing is met, the range",
                          view_of(scan.distance, camera.height, camera.width)});
        arrays.push_back({name + "_body", "1", kMeets, view_of(scan.body, camera.height, camera.width)});
      }
    }
    rays = {};
    std::vector<kernels::SitePlace> places;
    for (const Site& site : sites) places.push_back({site.position, unit_turn(kernels::widen(site.orientation))});
    place_of.assign(places);
    frame.assign(frames);
    imu_site.assign(imus);
  }

  // ---- places of bodies, which calls of the World may change ----

  void place() {
    world.upload_frames();
    std::vector<std::uint32_t> body, of, other;
    for (std::uint32_t w = 0; w < worlds; ++w) {
      for (const Site& site : sites)
        body.push_back(site.body == kWorldBody ? kernels::kSiteOfWorld : slot_of(w, site.body));
      for (const ContactSensor& sensor : set.contacts) {
        of.push_back(slot_of(w, sensor.body));
        other.push_back(sensor.other ? slot_of(w, *sensor.other) : kernels::kNone);
      }
    }
    site_body.assign(body);
    contact_body.assign(of);
    contact_other.assign(other);
    if (!of.empty()) {
      std::vector<std::uint32_t> first(world.slots.size(), kernels::kNone), next(of.size(), kernels::kNone);
      for (std::uint32_t i = 0; i < of.size(); ++i) {
        if (of[i] != kernels::kSiteGone) next[i] = std::exchange(first[of[i]], i);
      }
      contact_first.assign(first);
      contact_next.assign(next);
    }
    joints.place(set.joints, world.articulations.store, worlds);
    // recorded after the uploads, in case the rest of the call fails
    world.memory.replace(placed, world.frames_made);
    world.memory.replace(slots, static_cast<std::uint32_t>(world.slots.size()));
  }

  // ---- readings ----

  SenseContext context(const StepContext& s, const kernels::QueryScene& scene) const {
    const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    SenseContext c;
    c.sites = {s.bodies,        s.links,      world.arrays.frames.view(),
               s.worlds.scales, s.own_scales, {place_of.data(), site_body.data(), count(sites)}};
    c.frame = {c.sites, frame.data(), count(frames), pose.data(), velocity.data()};
    c.imu = {c.sites, s.worlds, imu_site.data(), count(imus), memory.data(), imu.data()};
    const kernels::SensedContacts of_bodies{contact_body.data(), contact_other.data(), contact_first.data(),
                                            contact_next.data(), sums.data(),          slots};
    c.sum_contacts = {s.shapes, s.pairs[s.constants.parity ^ 1u], of_bodies};
    c.contact = {s.bodies, of_bodies, s.state, static_cast<float>(s.substeps), force.data()};
    c.contacts = count(set.contacts);
    joints.show(s, wrench.data(), c);
    c.scene = scene;
    c.scans = scans;
    return c;
  }

  void update() {
    if (world.worlds.size() != worlds) {
      throw InvalidArgument("Sensors::update: the World has " + std::to_string(world.worlds.size()) +
                            " worlds now, and had " + std::to_string(worlds) + " when the sensors were made");
    }
    const bool captures = world.settle();
    world.upload_frames();
    if (placed != world.frames_made) {
      if (captures) {
        throw InvalidArgument("Sensors::update: bodies came or went: update once before the capture");
      }
      place();
    }
    kernels::QueryScene scene{};
    if (!scans.empty()) scene = world.query_tree(kernels::QueryKind::kRay, world.arrays.solids, captures).scene;
    const StepContext s = world.context(world.params.dt);
    world.launch().run(s, context(s, scene));
    world.captured = world.captured || captures;
  }

  World::Impl& world;
  SensorSet set;
  std::uint32_t worlds;
  std::vector<Site> sites;
  std::vector<kernels::SensedFrame> frames;
  std::vector<std::uint32_t> imus;  ///< [1] numbers of sites
  std::vector<kernels::SensedScan> scans;
  std::vector<kernels::SensorRay> rays;  ///< until they have been copied to the device
  std::vector<Readings> arrays;
  std::uint64_t placed{0};  ///< [1] World::Impl::frames_made at the last call of `place`
  std::uint32_t slots{0};   ///< [1] of contact_first

  exec::Buffer<kernels::SitePlace> place_of{world.memory};
  exec::Buffer<std::uint32_t> site_body{world.memory};
  exec::Buffer<kernels::SensedFrame> frame{world.memory};
  exec::Buffer<std::uint32_t> imu_site{world.memory};
  exec::Buffer<kernels::ImuMemory> memory{world.memory};
  exec::Buffer<std::uint32_t> contact_body{world.memory}, contact_other{world.memory}, contact_first{world.memory},
      contact_next{world.memory};
  exec::Buffer<std::int64_t> sums{world.memory};
  SensedJoints joints{world.memory};
  exec::Buffer<kernels::SensorRay> ray{world.memory};
  exec::Buffer<float> pose{world.memory}, velocity{world.memory}, imu{world.memory}, force{world.memory},
      wrench{world.memory}, distance{world.memory};
  exec::Buffer<std::uint32_t> seen{world.memory};
};

Sensors::Sensors(const World& world, const SensorSet& set)
    : impl_(world.impl_->call([&] { return std::make_unique<Impl>(*world.impl_, set); })) {}
Sensors::~Sensors() = default;
Sensors::Sensors(Sensors&&) noexcept = default;
Sensors& Sensors::operator=(Sensors&&) noexcept = default;

const SensorSet& Sensors::description() const { return impl_->set; }

void Sensors::update() {
  impl_->world.call([&] { impl_->update(); });
}

std::vector<NamedArray> Sensors::list() const {
  return with_heap([&] {
    std::vector<NamedArray> all;
    for (const Impl::Readings& r : impl_->arrays) all.push_back({r.name, r.unit, "worlds", r.meaning, r.view});
    return all;
  });
}

ArrayView Sensors::get(std::string_view name) const {
  return with_heap([&] {
    std::string names;
    for (const Impl::Readings& r : impl_->arrays) {
      if (r.name == name) return r.view;
      names += (names.empty() ? "" : ", ") + r.name;
    }
    throw InvalidArgument("sensor array \"" + std::string(name) + "\": there is none of this name; there are " +
                          (names.empty() ? "none" : names));
  });
}

}  // namespace cairn
