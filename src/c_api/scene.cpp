// Scenes, and the descriptions that they and worlds are made of.

#include "src/c_api/describe.h"

namespace cairn::c_api {

static_assert(int{CAIRN_AVBD} == static_cast<int>(SolverKind::kAvbd) &&
              int{CAIRN_PRODUCT} == static_cast<int>(MixRule::kProduct) &&
              int{CAIRN_DYNAMIC} == static_cast<int>(BodyType::kDynamic));

namespace {

template <class E>
E enum_of(std::int32_t value, E last, const char* what) {
  if (value < 0 || value > static_cast<std::int32_t>(last)) {
    throw InvalidArgument(std::string(what) + " must be between 0 and " +
                          std::to_string(static_cast<std::int32_t>(last)) + ", is " + std::to_string(value));
  }
  return static_cast<E>(value);
}

Geometry geometry_of(const cairn_shape& s) {
  switch (enum_of(s.kind, CAIRN_PLANE, "cairn_shape.kind")) {
    case CAIRN_SPHERE: return Sphere{s.size[0]};
    case CAIRN_BOX: return Box{vec3(s.size)};
    case CAIRN_CAPSULE: return Capsule{s.size[0], s.size[1]};
    case CAIRN_PLANE: break;
  }
  return Plane{vec3(s.normal), s.offset};
}

std::string text_of(const char* name, const char* what) {
  require(what, name);
  return name;
}

}  // namespace

template <>
cairn_params defaults() {
  return of(StepParams{});
}

cairn_params of(const StepParams& p) {
  cairn_params c{};
  c.struct_size = sizeof c;
  c.solver = static_cast<std::int32_t>(p.solver);
  c.sweep = static_cast<std::int32_t>(p.sweep);
  c.substeps = p.substeps;
  c.dt = p.dt;
  c.contact_frequency = p.contact_frequency;
  c.contact_damping_ratio = p.contact_damping_ratio;
  c.push_out_speed = p.push_out_speed;
  c.restitution_threshold = p.restitution_threshold;
  c.recycle_tolerance = p.recycle_tolerance;
  c.friction_mix = static_cast<std::int32_t>(p.friction_mix);
  c.restitution_mix = static_cast<std::int32_t>(p.restitution_mix);
  c.rolling_mix = static_cast<std::int32_t>(p.rolling_mix);
  c.sleeping = p.sleeping ? 1 : 0;
  c.sleep_speed = p.sleep_speed;
  c.sleep_time = p.sleep_time;
  return c;
}

StepParams params_of(const cairn_params* given) {
  const cairn_params c = read<cairn_params>(given, "cairn_params");
  StepParams p;
  p.solver = enum_of(c.solver, SolverKind::kAvbd, "cairn_params.solver");
  p.sweep = enum_of(c.sweep, SweepKind::kJacobi, "cairn_params.sweep");
  p.substeps = c.substeps;
  p.dt = c.dt;
  p.contact_frequency = c.contact_frequency;
  p.contact_damping_ratio = c.contact_damping_ratio;
  p.push_out_speed = c.push_out_speed;
  p.restitution_threshold = c.restitution_threshold;
  p.recycle_tolerance = c.recycle_tolerance;
  p.friction_mix = enum_of(c.friction_mix, MixRule::kProduct, "cairn_params.friction_mix");
  p.restitution_mix = enum_of(c.restitution_mix, MixRule::kProduct, "cairn_params.restitution_mix");
  p.rolling_mix = enum_of(c.rolling_mix, MixRule::kProduct, "cairn_params.rolling_mix");
  p.sleeping = c.sleeping != 0;
  p.sleep_speed = c.sleep_speed;
  p.sleep_time = c.sleep_time;
  return p;
}

template <>
cairn_limits defaults() {
  return of(Limits{});
}

cairn_limits of(const Limits& limits) {
  cairn_limits c{};
  c.struct_size = sizeof c;
  put(c.lower, limits.lower);
  put(c.upper, limits.upper);
  c.speed = limits.speed;
  c.angular_speed = limits.angular_speed;
  return c;
}

Limits limits_of(const cairn_limits* given) {
  const cairn_limits c = read<cairn_limits>(given, "cairn_limits");
  return {vec3(c.lower), vec3(c.upper), c.speed, c.angular_speed};
}

template <>
cairn_material defaults() {
  const Material m;
  return {sizeof(cairn_material), nullptr, m.density, m.friction, m.restitution, m.rolling_friction};
}

Material material_of(const cairn_material* given) {
  const cairn_material c = read<cairn_material>(given, "cairn_material");
  return {text_of(c.name, "cairn_material.name"), c.density, c.friction, c.restitution, c.rolling_friction};
}

template <>
cairn_shape defaults() {
  cairn_shape c{};
  c.struct_size = sizeof c;
  c.kind = CAIRN_BOX;
  put(c.size, Box{}.half_extents);
  put(c.normal, Plane{}.normal);
  c.orientation[3] = 1;
  return c;
}

template <>
cairn_body defaults() {
  cairn_body c{};
  c.struct_size = sizeof c;
  c.type = CAIRN_DYNAMIC;
  c.orientation[3] = 1;
  return c;
}

Body body_of(const cairn_body* given) {
  const cairn_body c = read<cairn_body>(given, "cairn_body");
  Body body;
  body.name = text_of(c.name, "cairn_body.name");
  body.type = enum_of(c.type, BodyType::kDynamic, "cairn_body.type");
  body.position = vec3(c.position);
  body.orientation = quat(c.orientation);
  body.linear_velocity = vec3(c.linear_velocity);
  body.angular_velocity = vec3(c.angular_velocity);
  if (c.shape_count != 0) require("cairn_body.shapes", c.shapes);
  const void* const shapes = c.shapes;
  const auto* at = static_cast<const unsigned char*>(shapes);
  for (std::uint32_t i = 0; i < c.shape_count; ++i) {
    const cairn_shape s = read<cairn_shape>(at, "cairn_shape");
    at += size_of(at, "cairn_shape");
    body.shapes.push_back({geometry_of(s), vec3(s.position), quat(s.orientation), s.material});
  }
  if (c.mass != 0) body.mass = c.mass;
  if (c.density != 0) body.density = c.density;
  if (c.inertia[0] != 0 || c.inertia[1] != 0 || c.inertia[2] != 0) body.inertia = PrincipalInertia{vec3(c.inertia)};
  body.linear_damping = c.linear_damping;
  body.angular_damping = c.angular_damping;
  return body;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_params_init(cairn_params* to, size_t size) { initialise(to, size, defaults<cairn_params>()); }
void cairn_limits_init(cairn_limits* to, size_t size) { initialise(to, size, defaults<cairn_limits>()); }
void cairn_material_init(cairn_material* to, size_t size) { initialise(to, size, defaults<cairn_material>()); }
void cairn_shape_init(cairn_shape* to, size_t size) { initialise(to, size, defaults<cairn_shape>()); }
void cairn_body_init(cairn_body* to, size_t size) { initialise(to, size, defaults<cairn_body>()); }

cairn_result cairn_scene_create(cairn_scene** scene) {
  return guarded([&] {
    require("scene", scene);
    *scene = new cairn_scene;
  });
}

void cairn_scene_destroy(cairn_scene* scene) { delete scene; }

cairn_result cairn_scene_load(const char* path, cairn_scene** scene) {
  return guarded([&] {
    require("path, scene", path, scene);
    *scene = new cairn_scene{cairn::load_scene(path)};
  });
}

cairn_result cairn_scene_parse(const char* json, size_t length, const char* where, cairn_scene** scene) {
  return guarded([&] {
    require("json, where, scene", json, where, scene);
    *scene = new cairn_scene{cairn::parse_scene({json, length}, where)};
  });
}

cairn_result cairn_scene_to_json(const cairn_scene* scene, char* text, size_t size, size_t* length) {
  return guarded([&] {
    require("scene, length", scene, length);
    if (size != 0) require("text", text);
    const std::string json = cairn::scene_to_json(scene->scene);
    *length = json.size();
    if (size > json.size()) std::memcpy(text, json.c_str(), json.size() + 1);
  });
}

cairn_result cairn_scene_set_gravity(cairn_scene* scene, const float gravity[3]) {
  return guarded([&] {
    require("scene, gravity", scene, gravity);
    scene->scene.set_gravity(vec3(gravity));
  });
}

cairn_result cairn_scene_set_params(cairn_scene* scene, const cairn_params* params) {
  return guarded([&] {
    require("scene", scene);
    scene->scene.set_params(params_of(params));
  });
}

cairn_result cairn_scene_params(const cairn_scene* scene, cairn_params* params) {
  return guarded([&] {
    require("scene", scene);
    write(params, of(scene->scene.params()), "params");
  });
}

cairn_result cairn_scene_set_limits(cairn_scene* scene, const cairn_limits* limits) {
  return guarded([&] {
    require("scene", scene);
    scene->scene.set_limits(limits_of(limits));
  });
}

cairn_result cairn_scene_add_material(cairn_scene* scene, const cairn_material* material, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_material(material_of(material));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_add_body(cairn_scene* scene, const cairn_body* body, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_body(body_of(body));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_body_count(const cairn_scene* scene, uint32_t* count) {
  return guarded([&] {
    require("scene, count", scene, count);
    *count = static_cast<std::uint32_t>(scene->scene.bodies().size());
  });
}

cairn_result cairn_scene_find_body(const cairn_scene* scene, const char* name, uint32_t* index) {
  return guarded([&] {
    require("scene, name, index", scene, name, index);
    const auto found = scene->scene.find_body(name);
    if (!found) throw cairn::InvalidArgument("body \"" + std::string(name) + "\": the scene has none of this name");
    *index = *found;
  });
}

cairn_result cairn_estimate_memory(const cairn_scene* scene, uint32_t worlds, uint64_t* bytes) {
  return guarded([&] {
    require("scene, bytes", scene, bytes);
    *bytes = cairn::estimate_memory(scene->scene, worlds);
  });
}
