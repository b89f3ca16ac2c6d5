// What the ready-made fields may hold.

#include <cmath>
#include <cstdio>
#include <string>

#include "cairn/errors.h"
#include "src/field/solver.h"

namespace cairn::ode {
namespace {

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", value);
  return digits;
}

[[noreturn]] void refuse(const std::string& name, const std::string& rule, const std::string& value) {
  throw InvalidArgument("fields::" + name + " must be " + rule + ", is " + value);
}
void finite(const std::string& name, double value) {
  if (!std::isfinite(value)) refuse(name, "finite", text(value));
}
void finite(const std::string& name, const Vec3d& v) {
  if (std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)) return;
  refuse(name, "finite", "(" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + ")");
}
void at_least_zero(const std::string& name, double value) {
  if (!(value >= 0) || !std::isfinite(value)) refuse(name, "finite and at least 0", text(value));
}
void over_zero(const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value)) refuse(name, "finite and over 0", text(value));
}

struct Rules {
  std::uint32_t count;

  void operator()(const fields::Gravity& f) const { finite("Gravity::acceleration", f.acceleration); }
  void operator()(const fields::LinearDrag& f) const { at_least_zero("LinearDrag::coefficient", f.coefficient); }
  void operator()(const fields::QuadraticDrag& f) const { at_least_zero("QuadraticDrag::coefficient", f.coefficient); }
  void operator()(const fields::Wind& f) const {
    finite("Wind::velocity", f.velocity);
    at_least_zero("Wind::linear", f.linear);
    at_least_zero("Wind::quadratic", f.quadratic);
    finite("Wind::gust", f.gust);
    finite("Wind::gust_rate", f.gust_rate);
  }
  void operator()(const fields::Springs& f) const {
    for (std::size_t k = 0; k < f.springs.size(); ++k) {
      const fields::Spring& s = f.springs[k];
      const std::string name = "Springs::springs[" + std::to_string(k) + "].";
      const std::string below = "below the count of particles, " + std::to_string(count);
      if (s.a >= count) refuse(name + "a", below, std::to_string(s.a));
      if (s.b >= count) refuse(name + "b", below, std::to_string(s.b));
      if (s.a == s.b) refuse(name + "b", "another particle than a", std::to_string(s.b));
      at_least_zero(name + "stiffness", s.stiffness);
      at_least_zero(name + "damping", s.damping);
      at_least_zero(name + "rest_length", s.rest_length);
    }
  }
  void operator()(const fields::LennardJones& f) const {
    at_least_zero("LennardJones::epsilon", f.epsilon);
    over_zero("LennardJones::sigma", f.sigma);
    over_zero("LennardJones::cut_off", f.cut_off);
  }
  void operator()(const fields::PairGravity& f) const {
    finite("PairGravity::constant", f.constant);
    at_least_zero("PairGravity::softening", f.softening);
    if (!(f.opening_angle >= 0 && f.opening_angle <= 0.9)) {
      refuse("PairGravity::opening_angle", "within 0..0.9", text(f.opening_angle));
    }
  }
  void operator()(const fields::Boids& f) const {
    over_zero("Boids::radius", f.radius);
    over_zero("Boids::separation_radius", f.separation_radius);
    if (f.separation_radius > f.radius) {
      refuse("Boids::separation_radius", "at most Boids::radius, " + text(f.radius), text(f.separation_radius));
    }
    at_least_zero("Boids::separation", f.separation);
    at_least_zero("Boids::alignment", f.alignment);
    at_least_zero("Boids::cohesion", f.cohesion);
    at_least_zero("Boids::cruise_speed", f.cruise_speed);
    at_least_zero("Boids::cruise", f.cruise);
  }
  void operator()(const fields::CurlNoise& f) const {
    at_least_zero("CurlNoise::rate", f.rate);
    at_least_zero("CurlNoise::speed", f.speed);
    over_zero("CurlNoise::scale", f.scale);
    if (f.octaves < 1 || f.octaves > 8) refuse("CurlNoise::octaves", "within 1..8", std::to_string(f.octaves));
    finite("CurlNoise::drift", f.drift);
  }
};

}  // namespace

void check(const fields::Any& field, std::uint32_t count) { std::visit(Rules{count}, field); }

}  // namespace cairn::ode
