#include "src/scene/field_rules.h"

#include <algorithm>
#include <array>

#include "cairn/errors.h"
#include "src/scene/check_attributes.h"

namespace cairn::rules {
namespace {

struct LawCheck {
  Checker& check;
  std::uint32_t particles;

  template <class Law>
  void operator()(const Law& law) const {
    check_attributes(check, law);
    if (check.good()) check_together(law);
  }

 private:
  /// Rules between members.
  template <class Law>
  void check_together(const Law&) const {}
  void check_together(const fields::Springs& f) const {
    for (std::size_t k = 0; k < f.springs.size() && check.good(); ++k) {
      const fields::Spring& s = f.springs[k];
      const std::string of = "springs[" + std::to_string(k) + "].", key = "springs/" + std::to_string(k);
      const std::string below = "must be below the count of particles, " + std::to_string(particles) + ", is ";
      check.require(s.a < particles, of + "a", "/" + key + "/a", below + std::to_string(s.a));
      check.require(s.b < particles, of + "b", "/" + key + "/b", below + std::to_string(s.b));
      check.require(s.a != s.b, of + "b", "/" + key + "/b",
                    "must be another particle than a, is " + std::to_string(s.b));
      const Where where{nullptr, of, key};
      check_attributes(check, s, &where);
    }
  }
  void check_together(const fields::Boids& f) const {
    check.require(f.separation_radius <= f.radius, "separation_radius",
                  "must be at most the radius, " + digits(f.radius) + ", is " + digits(f.separation_radius));
  }
};

void check_body(Checker& check, std::uint32_t index, const std::string& what, const std::string& at,
                const FieldPlace& place, bool needs_mass) {
  if (!check.good()) return;
  if (const auto rule = fault_of_body(index, place, needs_mass)) check.require(false, what, at, *rule);
}

}  // namespace

std::string name_of(const fields::Any& law) {
  return std::visit([]<class Law>(const Law&) { return std::string(name_of_type<Law>()); }, law);
}

std::optional<Fault> find_fault(const fields::Any& law, std::uint32_t particles) {
  Checker check;
  std::visit(LawCheck{check, particles}, law);
  return check.fault;
}

std::optional<std::string> fault_of_body(std::uint32_t index, const FieldPlace& place, bool needs_mass) {
  const Body* body = index < place.bodies ? place.body_at(index) : nullptr;
  if (body == nullptr) return "must be a body, there is no body " + std::to_string(index);
  if (!needs_mass || body->type == BodyType::kDynamic || mass_as_dynamic(*body, place.materials()) > 0) {
    return std::nullopt;
  }
  return "must have a mass, and body \"" + body->name + "\" would have none if it were dynamic";
}

std::optional<Fault> find_fault(const SceneField& field, const FieldPlace& place) {
  Checker check;
  const auto* springs = std::get_if<fields::Springs>(&field.law);
  check.require(springs == nullptr || !field.bodies, "bodies",
                "must be left out of springs, whose ends tell what they act on");
  if (field.bodies) {
    const std::vector<std::uint32_t>& bodies = *field.bodies;
    for (std::size_t i = 0; i < bodies.size() && check.good(); ++i) {
      const std::string at = "/bodies/" + std::to_string(i);
      check.require(i == 0 || bodies[i] >= bodies[i - 1], "bodies", at, "must be ascending");
      check.require(i == 0 || bodies[i] != bodies[i - 1], "bodies", at,
                    "must be there once each, body " + std::to_string(bodies[i]) + " is there twice");
      check_body(check, bodies[i], "bodies", at, place, place.needs_mass);
    }
  }
  if (springs != nullptr) {
    for (std::size_t k = 0; k < springs->springs.size() && check.good(); ++k) {
      const std::string of = "springs[" + std::to_string(k) + "].", at = "/springs/" + std::to_string(k);
      check_body(check, springs->springs[k].a, of + "a", at + "/a", place, false);
      check_body(check, springs->springs[k].b, of + "b", at + "/b", place, false);
    }
  }
  if (check.good()) return find_fault(field.law, place.bodies);
  return check.fault;
}

FieldPlace field_place_in(const Scene& scene) {
  return {static_cast<std::uint32_t>(scene.bodies().size()), [&scene](std::uint32_t at) { return &scene.bodies()[at]; },
          [&scene]() -> const std::vector<Material>& { return scene.materials(); }};
}

SceneField sorted(SceneField field) {
  if (field.bodies) std::ranges::sort(*field.bodies);
  return field;
}

double mass_as_dynamic(Body body, const std::vector<Material>& materials) {
  body.type = BodyType::kDynamic;
  // a plane, an open mesh, a body without mass and density
  if (find_fault(body, materials)) return 0;
  return mass_properties(body, materials).mass;
}

void refuse_more_fields(std::size_t count) {
  if (count <= kMaxFields) return;
  throw InvalidArgument("at most " + std::to_string(kMaxFields) + " fields, and there would be " +
                        std::to_string(count));
}

void refuse_faults(const SceneField& field, std::size_t number, const FieldPlace& place) {
  refuse("field " + std::to_string(number) + " (" + name_of(field.law) + ")", find_fault(field, place));
}

}  // namespace cairn::rules
