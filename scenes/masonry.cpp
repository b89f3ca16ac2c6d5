// Structures that stand by friction and shape alone: an arch of wedges, a house of cards.

#include <cmath>
#include <utility>
#include <vector>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct Turn {
  double sine, cosine;
};

/// Sine and cosine of an angle within half a turn, by series: the same with every maths library.
Turn turn(double angle) {
  // a sixteenth of the angle, where twelve terms are exact to rounding, doubled four times
  const double a = angle / 16, aa = a * a;
  double sine = 1, cosine = 1;
  for (int k = 12; k > 0; --k) {
    sine = 1 - sine * aa / ((2 * k) * (2 * k + 1));
    cosine = 1 - cosine * aa / ((2 * k - 1) * (2 * k));
  }
  Turn t{a * sine, cosine};
  for (int k = 0; k < 4; ++k) t = {2 * t.sine * t.cosine, 1 - 2 * t.sine * t.sine};
  return t;
}

}  // namespace

/// A semicircle of wedges with radial faces between them. It stands if a thrust line fits into the ring: with seven
/// wedges, at a thickness of at least 0.0962 of the radius.
Built arch(const Spec& spec, std::uint64_t) {
  constexpr double kHalfDepth = 0.25;  ///< [m]
  const double half = 0.5 * spec["thickness"];
  const int blocks = spec.whole("blocks");
  Built built;
  built.scene.add_material(stone(kDensity, 1));
  add_floor(built.scene);
  set_substeps(built.scene, 12);
  for (int k = 0; k < blocks; ++k) {
    const Turn ends[2] = {turn(kPi * k / blocks), turn(kPi * (k + 1) / blocks)};
    const Vec3d middle{0.5 * (ends[0].cosine + ends[1].cosine), 0, 0.5 * (ends[0].sine + ends[1].sine)};
    std::vector<Vec3> points;
    for (const Turn& end : ends) {
      for (const double radius : {1 - half, 1 + half}) {
        for (const double y : {-kHalfDepth, kHalfDepth}) {
          points.push_back({static_cast<float>(radius * end.cosine - middle.x), static_cast<float>(y),
                            static_cast<float>(radius * end.sine - middle.z)});
        }
      }
    }
    built.scene.add_body(make_body(numbered("wedge", k), BodyType::kDynamic, middle, ConvexHull(points)));
    built.nominal_height = middle.z > built.nominal_height ? middle.z : built.nominal_height;
  }
  return built;
}

/// Pairs of cards that lean on each other, with cards laid across them. A lower row carries the row above at both edges
/// of each apex, so that no pair is loaded on one side.
Built cards(const Spec& spec, std::uint64_t) {
  constexpr Vec3 kUpright{0.01f, 0.3f, 0.5f}, kFlat{0.5f, 0.3f, 0.01f};  ///< [m] half extents
  constexpr double kPitch = 0.95;                                        ///< [m] between apexes of a row
  constexpr double kGap = 0.002;                                         ///< [m] half of that between cards in line
  const Turn lean = turn(kPi / 9), half_lean = turn(kPi / 18);
  const double thick = kUpright.x, tall = kUpright.z;
  // of a card's centre: height over its foot, and distance from the plane in which the two cards meet
  const double rise = thick * lean.sine + tall * lean.cosine, aside = thick * lean.cosine + tall * lean.sine;
  Built built;
  built.scene.add_material(stone(kDensity, static_cast<float>(spec["friction"])));
  add_floor(built.scene);
  set_substeps(built.scene, 24);
  int index = 0;
  const auto add = [&](Vec3d place, Vec3 half, double sine) {
    Body card = make_body(numbered("card", index++), BodyType::kDynamic, place, Box{half});
    card.orientation = {0, static_cast<float>(sine), 0, static_cast<float>(half_lean.cosine)};
    if (sine == 0) card.orientation = {};
    built.scene.add_body(std::move(card));
  };
  double floor = 0;
  for (int pairs = 3; pairs > 0; --pairs) {
    for (int k = 0; k < pairs; ++k) {
      const double apex = (k - 0.5 * (pairs - 1)) * kPitch;
      add({apex - aside, 0, floor + rise}, kUpright, half_lean.sine);
      add({apex + aside, 0, floor + rise}, kUpright, -half_lean.sine);
    }
    floor += 2 * rise;
    if (pairs == 3) {
      add({-tall - kGap, 0, floor + thick}, kFlat, 0);
      add({tall + kGap, 0, floor + thick}, kFlat, 0);
    }
    if (pairs == 2) add({0, 0, floor + thick}, kFlat, 0);
    floor += 2 * thick;
  }
  built.nominal_height = floor - 2 * thick - rise;
  return built;
}

}  // namespace cairn::scenes
