#include "cairn/muscle.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/common/exact.h"
#include "kernels/common/exponential.h"
#include "kernels/common/vec.h"
#include "src/exec/exactly.h"

namespace cairn {
namespace {

using kernels::operator-;
using kernels::operator+;
using kernels::operator*;

/// [1] Share of the max force that an active fibre gives at a length, in optimal lengths: three bells, whose widths
/// grow with the length (De Groote et al. 2016, table of b).
double active_force(double length) {
  constexpr double kHeight[]{0.815, 0.433, 0.100}, kMiddle[]{1.055, 0.717, 1.000};
  constexpr double kWidth[]{0.162, -0.030, 0.354}, kGrowth[]{0.063, 0.200, 0.000};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double x = (length - kMiddle[i]) / (kWidth[i] + kGrowth[i] * length);
    sum += kHeight[i] * kernels::exp(-0.5 * x * x);
  }
  return sum;
}

/// [1] The same for the passive force.
double passive_force(double length, double strain) {
  constexpr double kShape = 4;
  if (!(length > 1)) return 0;
  return kernels::expm1(kShape * (length - 1) / strain) / kernels::expm1(kShape);
}

/// [1] Factor of a speed on the force; `speed` is a share of the max speed, lengthening over 0. d1 asinh(d2 v + d3) +
/// d4, with d1 and d4 such that it is 1 at rest and 0 at the max speed.
double speed_factor(double speed) {
  constexpr double kSlope = -8.149, kShift = -0.374;
  const double at_rest = kernels::asinh(kShift), at_most = kernels::asinh(kShift - kSlope);
  return (kernels::asinh(kSlope * speed + kShift) - at_most) / (at_rest - at_most);
}

void check(const MuscleParams& p) {
  const auto over_zero = [](double value, const char* name) {
    if (!(value > 0) || !std::isfinite(value))
      throw InvalidArgument(std::string("muscle: ") + name + " must be over 0 and finite");
  };
  over_zero(p.max_isometric_force, "max_isometric_force");
  over_zero(p.optimal_fibre_length, "optimal_fibre_length");
  over_zero(p.tendon_slack_length, "tendon_slack_length");
  over_zero(p.max_fibre_speed, "max_fibre_speed");
  over_zero(p.tendon_strain, "tendon_strain");
  over_zero(p.fibre_strain, "fibre_strain");
  over_zero(p.activation_time, "activation_time");
  over_zero(p.deactivation_time, "deactivation_time");
  if (!(p.pennation >= 0 && p.pennation <= 1.4)) throw InvalidArgument("muscle: pennation must be between 0 and 1.4");
  if (!(p.fibre_damping >= 0) || !std::isfinite(p.fibre_damping))
    throw InvalidArgument("muscle: fibre_damping must be at least 0 and finite");
}

Vec3d place_of(const World& world, const MusclePoint& point) {
  if (!point.body) return point.position;
  const BodyState s = world.state(point.body);
  return s.position + kernels::rotate(kernels::widen(s.orientation), point.position);
}

}  // namespace

Muscle::Muscle(World& world, std::vector<MusclePoint> path, const MuscleParams& params)
    : world_(&world), path_(std::move(path)), params_(params) {
  const exec::ExactFloats exact;
  check(params_);
  if (path_.size() < 2) throw InvalidArgument("muscle: a path needs two points at least");
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const Vec3d& p = path_[i].position;
    if (!std::isfinite(p.x + p.y + p.z))
      throw InvalidArgument("muscle: point " + std::to_string(i) + " must be finite");
  }
  fibre_ = balanced(length(), params_.optimal_fibre_length, std::numeric_limits<double>::infinity());
  force_ = params_.max_isometric_force * tendon_force(fibre_, length());
}

double Muscle::length() const {
  return exec::exactly([&] {
    double sum = 0;
    Vec3d before = place_of(*world_, path_[0]);
    for (std::size_t i = 1; i < path_.size(); ++i) {
      const Vec3d next = place_of(*world_, path_[i]);
      sum += kernels::length(next - before);
      before = next;
    }
    return sum;
  });
}

namespace {

/// Cosine of the angle between fibre and tendon: the muscle's thickness is constant.
double cosine_of(const MuscleParams& p, double fibre) {
  const double sine = std::min(p.optimal_fibre_length * kernels::sincos(p.pennation).sin / fibre, 0.999);
  return kernels::sqrt(1 - sine * sine);
}

}  // namespace

double Muscle::tendon_force(double fibre, double path) const {
  constexpr double kToe = 0.2;  // [1] share of the max force that sets how long the curve stays flat
  const double strain = (path - fibre * cosine_of(params_, fibre)) / params_.tendon_slack_length - 1;
  const double stiffness = kernels::log((1 + kToe) / kToe) / params_.tendon_strain;
  // a tendon doesn't push
  return strain > 0 ? kToe * kernels::expm1(stiffness * strain) : 0;
}

double Muscle::fibre_force(double fibre, double before, double dt) const {
  const double speed = (fibre - before) / (dt * params_.optimal_fibre_length * params_.max_fibre_speed);
  const double stretch = fibre / params_.optimal_fibre_length;
  return (activation_ * active_force(stretch) * speed_factor(speed) + passive_force(stretch, params_.fibre_strain) +
          params_.fibre_damping * speed) *
         cosine_of(params_, fibre);
}

double Muscle::balanced(double path, double before, double dt) const {
  // a shorter fibre pulls less, and its tendon pulls more
  double low = 1e-3 * params_.optimal_fibre_length, high = path + 10 * params_.optimal_fibre_length;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (fibre_force(middle, before, dt) < tendon_force(middle, path) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

void Muscle::act(double excitation, float dt) {
  const exec::ExactFloats exact;
  if (!(excitation >= 0 && excitation <= 1)) throw InvalidArgument("muscle: excitation must be between 0 and 1");
  if (!(dt > 0) || !std::isfinite(dt)) throw InvalidArgument("muscle: dt must be over 0 and finite");
  const double time = dt, path = length();
  const double pace = 0.5 + 1.5 * activation_;
  const double lag = excitation > activation_ ? params_.activation_time * pace : params_.deactivation_time / pace;
  activation_ += (excitation - activation_) * -kernels::expm1(-time / lag);
  fibre_ = balanced(path, fibre_, time);
  force_ = params_.max_isometric_force * tendon_force(fibre_, path);
  // a disabled body doesn't hold the path
  const auto off = [this](const auto& at) { return at.body && !world_->description(at.body).enabled; };
  if (std::ranges::any_of(path_, off)) force_ = 0;
  if (force_ == 0) return;

  for (std::size_t i = 0; i < path_.size(); ++i) {
    if (!path_[i].body || world_->description(path_[i].body).type != BodyType::kDynamic) continue;
    const Vec3d at = place_of(*world_, path_[i]);
    Vec3d pull{0, 0, 0};
    for (const std::size_t next : {i - 1, i + 1}) {
      if (next >= path_.size()) continue;
      const Vec3d way = place_of(*world_, path_[next]) - at;
      const double far = kernels::length(way);
      if (far > 0) pull = pull + (force_ / far) * way;
    }
    world_->add_force(path_[i].body, kernels::narrow(pull), at);
  }
}

}  // namespace cairn
