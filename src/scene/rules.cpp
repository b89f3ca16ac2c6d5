// The rules of materials, parameters and gravity; body_rules.cpp has those of bodies.

#include "src/scene/rules.h"

#include "src/scene/checker.h"

namespace cairn::rules {

Material default_material() {
  Material material;
  material.name = "default";
  return material;
}

std::optional<Fault> find_fault(const Material& material) {
  Checker check;
  check.name(material.name);
  check.number(material.density, "density", "/density", kNotNegative);
  check.number(material.friction, "friction", "/friction", {0, 1e6, false, "must be between 0 and 1e6"});
  check.number(material.restitution, "restitution", "/restitution", kUnitInterval);
  check.number(material.rolling_friction, "rolling_friction", "/rolling_friction",
               {0, 1e6, false, "must be between 0 and 1e6 m"});
  if (material.young_modulus != 0) {
    check.number(material.young_modulus, "young_modulus", "/young_modulus",
                 {1, 1e13, false, "must be between 1 and 1e13 Pa, or 0 where it is not given"});
  }
  check.number(material.poisson_ratio, "poisson_ratio", "/poisson_ratio", {0, 0.5, false, "must be between 0 and 0.5"});
  return check.fault;
}

std::optional<Fault> find_fault(const StepParams& params) {
  const auto at_most = [](auto last, auto value) {
    return static_cast<unsigned>(value) <= static_cast<unsigned>(last);
  };
  Checker check;
  check.require(at_most(SolverKind::kHertzMindlin, params.solver), "kind", "/kind",
                "must be soft_step, xpbd, sequential_impulse, avbd or hertz_mindlin");
  check.require(at_most(SweepKind::kJacobi, params.sweep), "sweep", "/sweep", "must be gauss_seidel or jacobi");
  check.require(params.sweep != SweepKind::kJacobi || params.solver == SolverKind::kXpbd, "sweep", "/sweep",
                "must be gauss_seidel unless the solver is xpbd, is jacobi");
  check.number(static_cast<double>(params.substeps), "substeps", "/substeps",
               {1, 1000, false, "must be between 1 and 1000"});
  check.number(static_cast<double>(params.strain_sweeps), "strain_sweeps", "/strain_sweeps",
               {0, 1000, false, "must be between 0 and 1000"});
  check.number(static_cast<double>(params.fluid_sweeps), "fluid_sweeps", "/fluid_sweeps",
               {1, 1000, false, "must be between 1 and 1000"});
  check.number(static_cast<double>(params.direct_bodies), "direct_bodies", "/direct_bodies",
               {0, 256, false, "must be between 0 and 256"});
  check.number(params.direct_mass_ratio, "direct_mass_ratio", "/direct_mass_ratio",
               {1, 1e30, false, "must be between 1 and 1e30"});
  check.number(params.residual_target, "residual_target", "/residual_target", kNotNegative);
  check.number(params.dt, "dt", "/dt", {0, 1, true, "must be over 0 and at most 1 s"});
  check.require(params.dt >= 1e-7f * static_cast<float>(params.substeps), "dt", "/dt",
                "must be at least 1e-7 s a substep, is " + digits(params.dt));
  check.number(params.contact_frequency, "contact_frequency", "/contact_frequency",
               {0, 0.25, true, "must be over 0 and at most 0.25"});
  check.number(params.contact_damping_ratio, "contact_damping_ratio", "/contact_damping_ratio",
               {0, 100, true, "must be over 0 and at most 100"});
  check.number(params.push_out_speed, "push_out_speed", "/push_out_speed", kNotNegative);
  check.number(params.restitution_threshold, "restitution_threshold", "/restitution_threshold", kNotNegative);
  check.number(params.recycle_tolerance, "recycle_tolerance", "/recycle_tolerance", kUnitInterval);
  check.require(at_most(MixRule::kProduct, params.friction_mix), "friction_mix", "/friction_mix",
                "must be geometric_mean, min, max or product");
  check.require(at_most(MixRule::kProduct, params.restitution_mix), "restitution_mix", "/restitution_mix",
                "must be geometric_mean, min, max or product");
  check.require(at_most(MixRule::kProduct, params.rolling_mix), "rolling_mix", "/rolling_mix",
                "must be geometric_mean, min, max or product");
  check.number(params.sleep_speed, "sleep_speed", "/sleep_speed", kNotNegative);
  check.number(params.sleep_time, "sleep_time", "/sleep_time", kNotNegative);
  return check.fault;
}

bool shared_alike(StepParams a, const StepParams& b) {
  a.restitution_threshold = b.restitution_threshold;
  a.recycle_tolerance = b.recycle_tolerance;
  a.sleep_speed = b.sleep_speed;
  a.sleep_time = b.sleep_time;
  a.friction_mix = b.friction_mix;
  a.restitution_mix = b.restitution_mix;
  a.rolling_mix = b.rolling_mix;
  return a == b;
}

std::optional<Fault> find_fault(const Limits& limits) {
  Checker check;
  check.vector(limits.lower, "lower", "/lower", kPosition);
  check.vector(limits.upper, "upper", "/upper", kPosition);
  const auto above = [&](float lower, float upper, std::string_view field, std::string_view pointer) {
    check.require(lower < upper, field, pointer, "must be over " + digits(lower) + ", is " + digits(upper));
  };
  above(limits.lower.x, limits.upper.x, "upper.x", "/upper/0");
  above(limits.lower.y, limits.upper.y, "upper.y", "/upper/1");
  above(limits.lower.z, limits.upper.z, "upper.z", "/upper/2");
  check.number(limits.speed, "speed", "/speed", {0, kMaxSpeed, true, "must be over 0 and at most 1e5 m/s"});
  check.number(limits.angular_speed, "angular_speed", "/angular_speed",
               {0, kMaxSpin, true, "must be over 0 and at most 1e11 rad/s"});
  return check.fault;
}

std::optional<Fault> find_fault(Vec3 gravity) {
  Checker check;
  check.vector(gravity, "gravity", "", kAny);
  return check.fault;
}

}  // namespace cairn::rules
