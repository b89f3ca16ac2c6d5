#include "kernels/scale/given.h"
#include "src/scene/checker.h"

namespace cairn::rules {
namespace {

constexpr Range kSizes{kernels::kLeastSizeScale, kernels::kMostSizeScale, false, "must be between 0.01 and 100"};
constexpr Range kMasses{kernels::kLeastMassScale, kernels::kMostMassScale, false, "must be between 1e-6 and 1e6"};
constexpr Range kFrictions{0, kernels::kMostFrictionScale, false, "must be between 0 and 1000"};
// no more than what a body may have to begin with
constexpr Range kMoves{0, kMaxPosition, false, "must be between 0 and 1e7 m"};
constexpr Range kSpeeds{0, kMaxSpeed, false, "must be between 0 and 1e5 m/s"};
constexpr Range kSpins{0, kMaxSpin, false, "must be between 0 and 1e11 rad/s"};

void check_range(Checker& check, const cairn::Range& range, const std::string& field, const Range& rule) {
  check.number(range.low, field + ".low", "", rule);
  check.number(range.high, field + ".high", "", rule);
  check.require(range.low <= range.high, field + ".high", "",
                "must be at least " + digits(range.low) + ", is " + digits(range.high));
}

}  // namespace

std::optional<Fault> find_fault(const BodyScales& scales) {
  Checker check;
  check.number(scales.size, "size", "", kSizes);
  check.number(scales.mass, "mass", "", kMasses);
  return check.fault;
}

std::optional<Fault> find_fault(const Scales& scales) {
  if (const auto fault = find_fault(BodyScales{scales.size, scales.mass})) return fault;
  Checker check;
  check.number(scales.friction, "friction", "", kFrictions);
  check.number(scales.restitution, "restitution", "", kUnitInterval);
  return check.fault;
}

std::optional<Fault> find_fault(const Randomisation& r) {
  Checker check;
  check_range(check, r.size, "size", kSizes);
  check_range(check, r.mass, "mass", kMasses);
  check_range(check, r.friction, "friction", kFrictions);
  check_range(check, r.restitution, "restitution", kUnitInterval);
  check_range(check, r.body_size, "body_size", kSizes);
  check_range(check, r.body_mass, "body_mass", kMasses);
  check.vector(r.position, "position", "", kMoves);
  check.vector(r.linear_velocity, "linear_velocity", "", kSpeeds);
  check.vector(r.angular_velocity, "angular_velocity", "", kSpins);
  return check.fault;
}

}  // namespace cairn::rules
