#pragma once
// What a scene file says of force fields: the keys of their laws, and the members of each under theirs. The reader, the
// writer and the test of docs/scene.schema.json go by this one list.

#include <array>
#include <string_view>
#include <vector>

#include "cairn/fields.h"
#include "src/scene_file/joint_fields.h"

namespace cairn::scene_file {

/// By the index of fields::Any. Springs are a list, the others objects.
inline constexpr std::array<std::string_view, std::variant_size_v<fields::Any>> kLawKeys{
    "gravity", "linear_drag", "quadratic_drag", "wind", "springs", "lennard_jones", "pair_gravity", "boids",
    "curl_noise"};
inline constexpr std::array<std::string_view, kLawKeys.size() + 2> kFieldKeys = [] {
  std::array<std::string_view, kLawKeys.size() + 2> keys{"bodies", "particles"};
  for (std::size_t k = 0; k < kLawKeys.size(); ++k) keys[k + 2] = kLawKeys[k];
  return keys;
}();
inline constexpr std::array<std::string_view, 5> kSpringKeys{"a", "b", "stiffness", "damping", "rest_length"};

template <class Visit, Of<fields::Gravity>... T>
void each_field(const Visit& visit, T&... f) {
  visit("acceleration", f.acceleration...);
}
template <class Visit, Of<fields::LinearDrag>... T>
void each_field(const Visit& visit, T&... f) {
  visit("coefficient", f.coefficient...);
}
template <class Visit, Of<fields::QuadraticDrag>... T>
void each_field(const Visit& visit, T&... f) {
  visit("coefficient", f.coefficient...);
}
template <class Visit, Of<fields::Wind>... T>
void each_field(const Visit& visit, T&... f) {
  visit("velocity", f.velocity...);
  visit("linear", f.linear...);
  visit("quadratic", f.quadratic...);
  visit("gust", f.gust...);
  visit("gust_rate", f.gust_rate...);
}
/// All but the ends, which are names in a file.
template <class Visit, Of<fields::Spring>... T>
void each_field(const Visit& visit, T&... s) {
  visit("stiffness", s.stiffness...);
  visit("damping", s.damping...);
  visit("rest_length", s.rest_length...);
}
template <class Visit, Of<fields::LennardJones>... T>
void each_field(const Visit& visit, T&... f) {
  visit("epsilon", f.epsilon...);
  visit("sigma", f.sigma...);
  visit("cut_off", f.cut_off...);
}
template <class Visit, Of<fields::PairGravity>... T>
void each_field(const Visit& visit, T&... f) {
  visit("constant", f.constant...);
  visit("softening", f.softening...);
  visit("tree_above", f.tree_above...);
  visit("opening_angle", f.opening_angle...);
}
template <class Visit, Of<fields::Boids>... T>
void each_field(const Visit& visit, T&... f) {
  visit("radius", f.radius...);
  visit("separation_radius", f.separation_radius...);
  visit("separation", f.separation...);
  visit("alignment", f.alignment...);
  visit("cohesion", f.cohesion...);
  visit("cruise_speed", f.cruise_speed...);
  visit("cruise", f.cruise...);
}
template <class Visit, Of<fields::CurlNoise>... T>
void each_field(const Visit& visit, T&... f) {
  visit("rate", f.rate...);
  visit("speed", f.speed...);
  visit("scale", f.scale...);
  visit("octaves", f.octaves...);
  visit("seed", f.seed...);
  visit("drift", f.drift...);
}

}  // namespace cairn::scene_file
