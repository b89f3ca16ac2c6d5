#include "scenes/builtin.h"

#include <utility>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

using Builder = Built (*)(const Spec&, std::uint64_t);

struct Entry {
  BuiltinInfo info;
  Builder builder;
};

const std::vector<Entry>& entries() {
  // bricks touch at a pitch of 1, and bridge a gap up to just under 2
  static const ParameterInfo kBrickPitch{"pitch", 1.05, "m", 1, 1.9, false, "distance between neighbours in a row"};
  static const std::vector<Entry> kEntries{
      {{"tower", "boxes on top of each other", {{"height", 20, "1", 1, kMaxBodies, true, "boxes"}}}, tower},
      {{"wall",
        "a brick pyramid one box deep; each row has a brick less than the one below",
        {{"base", 40, "1", 1, 2827, true, "boxes in the lowest row"}, kBrickPitch}},
       wall},
      {{"pyramid",
        "a square-based pyramid of bricks",
        {{"base", 30, "1", 1, 228, true, "boxes along a side of the lowest layer"}, kBrickPitch}},
       pyramid},
      {{"lattice",
        "a cube of boxes with gaps, which drops and settles into columns",
        {{"n", 16, "1", 1, 158, true, "boxes along an edge"},
         {"pitch", 1.10, "m", 1.1, 3, false, "distance between columns"}}},
       lattice},
      {{"pile", "boxes of mixed sizes dropped into a bin", {{"count", 3000, "1", 1, kMaxBodies, true, "boxes"}}}, pile},
      {{"heavy",
        "a tower with a heavy box on top",
        {{"height", 10, "1", 1, kMaxBodies, true, "boxes below the heavy one"},
         {"ratio", 100, "1", 0.001, 1e6, false, "mass of the heavy box over that of another"}}},
       heavy},
      {{"slope",
        "a tower on a ramp",
        {{"height", 3, "1", 1, 1000, true, "boxes"},
         {"tan", 0.3, "1", 0, 2, false, "tangent of the ramp's angle"},
         {"friction", 0.6, "1", 0, 10, false, "coefficient of friction"}}},
       slope},
      {{"conveyor",
        "boxes dropped onto a conveyor belt, which takes them to another that climbs",
        {{"count", 20, "1", 1, 100000, true, "boxes"},
         {"speed", 1.5, "m/s", -100, 100, false, "of both belts"},
         {"tan", 0.3, "1", 0, 2, false, "tangent of the climb's angle"},
         {"friction", 0.8, "1", 0, 10, false, "of the belts"}}},
       conveyor},
      {{"spinner", "a free body that spins about its middle axis and flips, without gravity", {}}, spinner},
      {{"rain",
        "solids of every kind and of mixed sizes dropped into a bin",
        {{"count", 1000, "1", 1, kMaxBodies, true, "bodies"},
         {"kinds", kSolidKinds, "1", 1, kSolidKinds, true, "kinds of solids; 3 are spheres, boxes and capsules"}}},
       rain},
      {{"bricks",
        "walls of bricks in running bond, one behind the other",
        {{"length", 50, "1", 2, 1e6, true, "bricks in the lowest row"},
         {"height", 20, "1", 1, 1000, true, "rows"},
         {"walls", 1, "1", 1, 10000, true, "walls"}}},
       bricks},
      {{"boulder", "a block on boxes, all of which it touches", {{"grains", 5000, "1", 1, 1e6, true, "boxes"}}},
       boulder},
      {{"wrecking",
        "brick pyramids one box deep, and a heavy ball that rolls down a ramp into them (Newton's pyramid example)",
        {{"pyramids", 20, "1", 1, 1000, true, "pyramids"}, {"rows", 20, "1", 1, 1000, true, "rows of each"}}},
       wrecking},
      {{"hulls",
        "convex hulls dropped into a bin",
        {{"count", 5000, "1", 1, kMaxBodies, true, "hulls"},
         {"vertices", 32, "1", 4, 256, true, "points of each, all of which are its corners"}}},
       hulls},
      {{"arch",
        "a semicircular arch of wedges",
        {{"thickness", 0.105, "m", 0.01, 0.5, false, "of the ring, whose mean radius is 1 m"},
         {"blocks", 7, "1", 3, 101, true, "wedges"}}},
       arch},
      {{"cards",
        "a house of cards, three levels high",
        {{"friction", 0.42, "1", 0, 10, false, "coefficient of friction"}}},
       cards},
      {{"terrain",
        "solids of every kind dropped onto hills",
        {{"count", 500, "1", 1, 1e6, true, "bodies"},
         {"size", 64, "m", 16, 8000, true, "side of the terrain, in cells of 1 m"}}},
       terrain},
      {{"gravel",
        "gravel at the foot of a boulder",
        {{"count", 4000, "1", 1, 1e6, true, "pieces of gravel"},
         {"ratio", 1000, "1", 10, 1000, false, "size of the boulder over that of a piece"}}},
       gravel},
      {{"ragdolls",
        "jointed figures of 15 bodies dropped into a bin",
        {{"count", 20, "1", 1, 250000, true, "figures"}}},
       ragdolls},
      {{"chain",
        "chains that hang, a load at the end of each",
        {{"links", 100, "1", 1, 100000, true, "links of a chain, of 0.2 m and 1 kg"},
         {"ratio", 1, "1", 0.01, 1e4, false, "mass of the last over that of another"},
         {"count", 1, "1", 1, 100000, true, "chains"}}},
       chain},
      {{"bridge",
        "a suspension bridge: planks on hinges that hang from cables of rods",
        {{"planks", 20, "1", 3, 100, true, "planks of 2 m"},
         {"sag", 0.1, "1", 0.05, 0.5, false, "sag of the cables over the span"},
         {"count", 1, "1", 1, 10000, true, "bridges"}}},
       bridge},
      {{"four_bar",
        "a four-bar linkage: a motor turns the crank, the rocker swings",
        {{"crank", 0.3, "m", 0.05, 0.5, false, "length of the crank"},
         {"rate", 2, "rad/s", -100, 100, false, "of the crank"}}},
       four_bar},
      {{"screw_jack",
        "a motor turns a spindle, whose thread lifts a carriage",
        {{"pitch", 0.02, "m", 0.001, 0.2, false, "lift a turn"},
         {"load", 200, "kg", 1, 10000, false, "mass of the carriage"},
         {"rate", 2, "rad/s", -100, 100, false, "of the spindle"}}},
       screw_jack},
      {{"gear_train",
        "two pairs of gears between a motor and a brake",
        {{"ratio", 3, "1", 1, 8, false, "of each pair"},
         {"rate", 10, "rad/s", -100, 100, false, "of the first wheel"},
         {"brake", 50, "N m", 0, 10000, false, "torque that resists the last"}}},
       gear_train},
      {{"wheel_drop",
        "a car on four sprung wheels, dropped",
        {{"height", 0, "m", 0, 5, false, "of the wheels over the ground"},
         {"mass", 1000, "kg", 100, 10000, false, "on the springs"},
         {"stiffness", 20000, "N/m", 1000, 1e6, false, "of a spring"},
         {"damping", 300, "N s/m", 0, 1e5, false, "of a spring"}}},
       wheel_drop},
      {{"quadrupeds",
        "four-legged robots that drop onto the floor and stand on their drives",
        {{"count", 9, "1", 1, 100000, true, "robots of 9 links and 14 rates"},
         {"drop", 0.1, "m", 0, 5, false, "of the feet"}}},
       quadrupeds},
      {{"delta",
        "three arms with drives that hold a platform by six rods, and a box on it",
        {{"load", 5, "kg", 0, 50, false, "of the box; 0: none"},
         {"x", 0.1, "m", -0.15, 0.15, false, "where the platform is"},
         {"y", 0.05, "m", -0.15, 0.15, false, ""},
         {"depth", 0.55, "m", 0.4, 0.65, false, "of the platform below the arms' axes"}}},
       delta},
      {{"rope",
        "a rope of particles that swings, a crate at its end",
        {{"segments", 20, "1", 1, 10000, true, "segments of the rope, which is 2 m long and of 1 kg"},
         {"load", 10, "kg", 0.01, 1000, false, "of the crate"},
         {"sweeps", 40, "1", 1, 1000, true, "particle_iterations"}}},
       rope},
      {{"cloth",
        "a cloth held by its corners, onto which boxes fall",
        {{"side", 30, "1", 2, 1000, true, "particles along an edge of 2 m"},
         {"boxes", 3, "1", 0, 100, true, "boxes of 0.24 m and 0.5 kg"},
         {"breaking_force", 0, "N", 0, 1e6, false, "pull that breaks an edge; 0: none does"}}},
       cloth},
      {{"flag",
        "a flag on a pole in gusty wind",
        {{"rows", 20, "1", 4, 500, true, "particles along the pole; half as many again along the flag"},
         {"wind", 6, "m/s", 0, 20, false, ""}}},
       flag},
      {{"rubble",
        "boulders that their own gravity draws together",
        {{"count", 200, "1", 1, kMaxBodies, true, "solids of every kind"}}},
       rubble},
      {{"jelly",
        "soft cubes that fall onto each other",
        {{"count", 2, "1", 1, 1000, true, "cubes of 0.5 m"},
         {"cells", 3, "1", 1, 100, true, "cells along an edge, of five tetrahedra each"},
         {"cluster", 0, "1", 0, 9, true, "cells along an edge of clusters that keep their shape instead; 0: none"},
         {"young_modulus", 0, "Pa", 0, 1e9, false, "of elastic tetrahedra in their place; 0: springs, volumes"}}},
       jelly},
      {{"dam_break",
        "a column of water that falls apart in a tank, onto boxes",
        {{"side", 10, "1", 2, 200, true, "particles along 0.5 m; the column is half as high again as it is wide"},
         {"boxes", 3, "1", 0, 60, true, "boxes of 0.12 m and 400 kg/m^3"},
         {"viscosity", 0, "Pa s", 0, 1e6, false, ""}}},
       dam_break},
      {{"grains",
        "balls of 0.1 m poured into a square bin",
        {{"count", 10000, "1", 1, kMaxBodies, true, "grains"},
         {"friction", 0.5, "1", 0, 10, false, "coefficient of friction"},
         {"rolling", 0, "1", 0, 10, false, "lever arm of rolling friction over the mean radius"}}},
       grains},
      {{"repose",
        "grains on a round table, off which they spill until their slope holds them",
        {{"count", 20000, "1", 100, kMaxBodies, true, "grains"},
         {"friction", 0.5, "1", 0, 10, false, "coefficient of friction"},
         {"rolling", 0, "1", 0, 10, false, "lever arm of rolling friction over the mean radius"}}},
       repose},
      {{"silo",
        "grains in a square silo, whose walls bear a part of their weight",
        {{"count", 6000, "1", 100, kMaxBodies, true, "grains"},
         {"height", 5, "1", 0.1, 100, false, "of the bed over the silo's width"},
         {"friction", 0.5, "1", 0, 10, false, "coefficient of friction between grains"},
         {"wall_friction", 0.5, "1", 0, 10, false, "between grains and walls"},
         {"rolling", 0, "1", 0, 10, false, "lever arm of rolling friction over the mean radius"}}},
       silo},
      {{"shapes", "every shape on a plane, a mesh and a height field", {}}, shapes},
  };
  return kEntries;
}

}  // namespace

const std::vector<BuiltinInfo>& list() {
  static const std::vector<BuiltinInfo> kList = [] {
    std::vector<BuiltinInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return kList;
}

Built build(const std::string& spec_text, std::uint64_t seed) {
  const Spec spec = parse_spec(spec_text);
  for (const Entry& entry : entries()) {
    if (entry.info.name != spec.info->name) continue;
    Built built = entry.builder(spec, seed);
    built.scene.name = spec_text;
    return built;
  }
  throw InvalidArgument("no built-in scene is named \"" + spec.info->name + "\"");
}

Scene make(const std::string& spec, std::uint64_t seed) { return std::move(build(spec, seed).scene); }

}  // namespace cairn::scenes
