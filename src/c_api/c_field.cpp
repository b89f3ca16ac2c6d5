// Force fields of scenes and worlds.

#include "src/c_api/c_call.h"

namespace cairn::c_api {

static_assert(int{CAIRN_FIELD_KIND_COUNT} == std::variant_size_v<fields::Any>);

/// The memory of its bodies is the field's.
template <>
struct ByHand<cairn_field, SceneField> {
  static void give(cairn_field& c, const SceneField& field) {
    c.kind = static_cast<std::int32_t>(field.law.index());
    std::visit([&](const auto& law) { fill(c, law); }, field.law);
    c.has_bodies = field.bodies ? 1 : 0;
    if (field.bodies && !field.bodies->empty()) {
      c.bodies = field.bodies->data();
      c.body_count = static_cast<std::uint32_t>(field.bodies->size());
    }
  }
  static void take(SceneField& field, const cairn_field& c, const std::string& what) {
    field.law =
        make_type<fields::Any>(enum_of<std::size_t>(c.kind, CAIRN_FIELD_KIND_COUNT - 1, (what + ".kind").c_str()));
    std::visit([&](auto& law) { c_api::take(law, c, what); }, field.law);
    if (c.has_bodies != 0) {
      field.bodies = list_of<std::uint32_t>(c.bodies, c.body_count, (what + ".bodies").c_str());
    } else if (c.body_count != 0) {
      throw InvalidArgument(what + ".body_count must be 0 where has_bodies is 0, is " + std::to_string(c.body_count));
    }
  }
};

template <>
cairn_field blank() {
  return blank_of_kinds<cairn_field, fields::Any>();
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

void cairn_spring_init(cairn_spring* to, size_t size) { initialise(to, size); }
void cairn_field_init(cairn_field* to, size_t size) { initialise(to, size); }

cairn_result cairn_scene_add_field(cairn_scene* scene, const cairn_field* field, uint32_t* index) {
  return get(scene, or_null(index), &cairn::Scene::add_field, field);
}
cairn_result cairn_scene_field_count(const cairn_scene* scene, uint32_t* count) {
  return get(scene, out("scene, count", count), &cairn::Scene::fields);
}

cairn_result cairn_world_fields(const cairn_world* world, uint32_t index, cairn_field* fields, size_t size,
                                size_t* count) {
  return get(world, out_room("fields", fields, size, out("count", count)), &World::fields, index);
}

cairn_result cairn_world_springs(const cairn_world* world, uint32_t index, uint32_t field, cairn_spring* springs,
                                 size_t size, size_t* count) {
  const auto to = out_room("springs", springs, size, out("count", count));
  return get(world, to, [&](const World& w) -> const std::vector<cairn::fields::Spring>& {
    const cairn::SceneField& one = one_of(w.fields(index), field, "field", "the world has");
    const auto* law = std::get_if<cairn::fields::Springs>(&one.law);
    if (law == nullptr) throw cairn::InvalidArgument("field " + std::to_string(field) + " must be of springs");
    return law->springs;
  });
}

cairn_result cairn_world_set_fields(cairn_world* world, uint32_t index, const cairn_field* fields, size_t count) {
  return call(world, [&](World& w) {
    std::vector<cairn::SceneField> all;
    take_each(all, fields, count, "fields");
    w.set_fields(all, index);
  });
}
