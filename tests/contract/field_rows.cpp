// Fields: all laws, on all bodies and on lists, changed while they blow, on what sleeps.

#include "tests/contract/contract.h"
#include "tests/fields/bodies.h"

namespace cairn::contract {
namespace {

using namespace testing_support;

/// A box on a floor that friction holds against gusts: it sleeps where a snapshot is taken, and they wake it after.
Scene gusts() {
  Scene scene = tower(1, sleepy({}));
  scene.add_field({fields::Wind{.velocity = {}, .linear = 1, .gust = {300, 0, 0}, .gust_rate = 3}, {}});
  return scene;
}

/// What one field names is lost, what it names by a list is changed.
void change_fields(World& world, std::uint32_t in, int step) {
  if (step == 8) world.remove_body(world.bodies(in)[3]);
  if (step == 12) world.set_fields({{fields::CurlNoise{.rate = 3}, {{4, 1}}}}, in);
  if (step == 25) world.set_fields({}, in);
}

void switch_blown_bodies(World& world, std::uint32_t in, int step) {
  const std::vector<BodyHandle> bodies = world.bodies(in);
  if (step == 4 || step == 20) world.set_enabled(bodies[1], step == 20);
  if (step == 9 || step == 14) world.set_enabled(bodies[bodies.size() - 1], step == 14);
}

}  // namespace

std::vector<SceneRow> field_rows() {
  return {
      {.name = "all_fields", .make = [] { return three()[0]; }, .steps = 16},
      {.name = "fields_on_lists", .make = [] { return three()[1]; }, .steps = 30},
      {.name = "changed_fields", .make = [] { return three()[2]; }, .steps = 30, .edit = change_fields},
      {.name = "switched_all_fields", .make = [] { return three()[0]; }, .steps = 30, .edit = switch_blown_bodies},
      {.name = "switched_fields_on_lists", .make = [] { return three()[1]; }, .steps = 30, .edit = switch_blown_bodies},
      {.name = "gusts", .make = gusts, .steps = 90},
  };
}

}  // namespace cairn::contract
