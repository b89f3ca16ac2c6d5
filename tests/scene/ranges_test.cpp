// Every number of every described struct is refused just outside of its range, and where it isn't finite, by its name
// and its rule: from the lists (cairn/attributes.h), through the calls that take such a struct.

#include "src/scene/ranges.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "src/describe/attributes.h"
#include "tests/support/builders.h"
#include "tests/support/refusal.h"

namespace cairn::scene_test {
namespace {

/// Numbers that are out of a range: next to its ends, and those that aren't finite.
template <class T>
std::vector<T> outside(const AttributeRange& range) {
  std::vector<T> all;
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    all = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()};
    for (const auto& [end, beyond] : {std::pair{range.min, -rules::kNoBound}, std::pair{range.max, rules::kNoBound}}) {
      if (std::isfinite(end))
        all.insert(all.end(), {static_cast<T>(end), std::nextafter(static_cast<T>(end), static_cast<T>(beyond))});
    }
  } else {
    if (range.min > static_cast<double>(Limits::min())) all.push_back(static_cast<T>(range.min - 1));
    if (range.max < static_cast<double>(Limits::max())) all.push_back(static_cast<T>(range.max + 1));
  }
  std::erase_if(all, [&](T value) { return rules::is_within(value, range); });
  return all;
}

/// Takes T as users give it; throws InvalidArgument where it refuses it.
template <class T>
using Take = std::function<void(const T&)>;

class Ranges : public testing::Test {
 protected:
  int tried_{0};

  template <class T>
  void refuse(const T& good, const std::string& name, const AttributeInfo& info, auto value, const Take<T>& take,
              const std::function<void(T&)>& spoil) {
    T bad = good;
    spoil(bad);
    const std::string rule = name + " " + rules::rule_of(info.range, info.unit, static_cast<double>(value)) + ", is ";
    ++tried_;
    EXPECT_TRUE(testing_support::refuses([&] { take(bad); }, {rule}))
        << name_of_type<T>() << ": " << name << " = " << value << ", but " << rule;
  }

  /// Of one number of T, which `at` finds.
  template <class Number, class T, class At>
  void number(const T& good, const std::string& name, const AttributeInfo& info, const Take<T>& take, const At& at) {
    for (const Number out : outside<Number>(info.range)) {
      refuse<T>(good, name, info, out, take, [&](T& of) { at(of) = out; });
    }
  }

  /// Of all members of Part, which `part` finds in T.
  template <class T, Described Part, class Find>
  void members_of(const T& good, const Take<T>& take, const Find& part) {
    each_attribute<Part>([&]<auto kMember>(const Attribute<kMember>& attribute) {
      using M = typename Attribute<kMember>::Type;
      using V = HeldOf<Attribute<kMember>>;
      const AttributeInfo& info = attribute.info;
      const std::string name(attribute.name());
      const auto value = [&](T& of) -> V& {
        M& member = part(of).*kMember;
        if constexpr (std::same_as<M, V>) {
          return member;
        } else {
          if (!member) member.emplace();
          return *member;
        }
      };
      if constexpr (std::same_as<V, cairn::Range>) {
        number<float>(good, name + ".low", info, take, [&](T& of) -> float& { return value(of).low; });
        number<float>(good, name + ".high", info, take, [&](T& of) -> float& { return value(of).high; });
      } else if constexpr (requires(V v) { v.x, v.y, v.z; } && !std::same_as<V, Quat>) {
        using Number = decltype(V::x);
        number<Number>(good, name + ".x", info, take, [&](T& of) -> Number& { return value(of).x; });
        number<Number>(good, name + ".y", info, take, [&](T& of) -> Number& { return value(of).y; });
        number<Number>(good, name + ".z", info, take, [&](T& of) -> Number& { return value(of).z; });
      } else if constexpr (std::is_arithmetic_v<V> && !std::same_as<V, bool>) {
        if (!info.reference) number<V>(good, name, info, take, value);
      } else if constexpr (Nested<V>) {
        members_of<T, V>(good, take, value);
      } else if constexpr (kIsElements<V>) {
        for (std::size_t i = 0; i < std::tuple_size_v<V>; ++i)
          members_of<T, typename V::value_type>(
              good, take, [&](T & of) -> auto& { return value(of)[i]; });
      }
    });
  }
  template <Described T>
  void all_of(const T& good, const Take<T>& take) {
    EXPECT_NO_THROW(take(good)) << name_of_type<T>();
    members_of<T, T>(good, take, [](T& of) -> T& { return of; });
  }
  /// Of all types that a variant may hold.
  template <class Variant, class F>
  void each_kind(const F& take) {
    for (std::size_t k = 0; k < std::variant_size_v<Variant>; ++k) {
      std::visit(
          [&]<class Kind>(const Kind& kind) {
            if constexpr (Described<Kind>) all_of<Kind>(kind, [&](const Kind& of) { take(of); });
          },
          make_type<Variant>(k));
    }
  }
};

Body ball(const std::string& name) { return {.name = name, .shapes = {Shape{Sphere{}}}, .mass = 1.0f}; }
Scene balls() { return testing_support::scene_of({ball("a"), ball("b")}); }

TEST_F(Ranges, of_materials_bodies_and_shapes_are_kept) {
  all_of<Material>({.name = "stone"}, [](const Material& of) { Scene{}.add_material(of); });
  all_of<Body>(ball("ball"), [](const Body& of) { Scene{}.add_body(of); });
  const auto with = [](const Shape& shape) {
    Body body{.name = "body", .type = BodyType::kStatic};
    body.shapes = {shape};
    Scene{}.add_body(body);
  };
  all_of<Shape>({.geometry = Sphere{}}, with);
  each_kind<Geometry>([&](const auto& of) { with({.geometry = of}); });
  EXPECT_GT(tried_, 100);
}

TEST_F(Ranges, of_joints_are_kept) {
  const auto take = [](const Joint& joint) { balls().add_joint(joint); };
  all_of<Joint>({.name = "joint", .body_a = 0, .body_b = 1, .kind = BallJoint{}}, take);
  each_kind<JointKind>([&](const auto& of) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(of)>, GearJoint>) {
      Scene scene = balls();
      for (const char* name : {"j", "k"})
        scene.add_joint({.name = name, .body_b = name[0] - 'j' + 0u, .kind = HingeJoint{}});
      GearJoint gear = of;
      gear.joint_b = 1;
      scene.add_joint({.name = "gear", .kind = gear});
    } else {
      take({.name = "joint", .body_a = 0, .body_b = 1, .kind = of});
    }
  });
  EXPECT_GT(tried_, 100);
}

TEST_F(Ranges, of_articulations_are_kept) {
  const auto take = [](const Articulation& of) { Scene{}.add_articulation(of); };
  Articulation arm{.name = "arm"};
  arm.links.push_back({.name = "link", .mass = 1, .inertia = {.moments = {1, 1, 1}}});
  arm.links[0].joint.kind = ArticulationJointKind::kRevolute;
  arm.links[0].shapes = {{.geometry = Sphere{}}};
  all_of<Articulation>(arm, take);
  all_of<ArticulationLink>(arm.links[0], [&](const ArticulationLink& of) {
    Articulation made = arm;
    made.links[0] = of;
    take(made);
  });
  EXPECT_GT(tried_, 50);
}

TEST_F(Ranges, of_particles_are_kept) {
  const auto take = [](const ParticleSet& of) { balls().add_particles(of); };
  const ParticleSet rope{.name = "rope", .positions = {{0, 0, 5}, {1, 0, 5}}};
  all_of<ParticleSet>(rope, take);
  all_of<ConstraintGroup>({.particles = {0, 1}}, [&](const ConstraintGroup& of) {
    ParticleSet made = rope;
    made.constraints = {of};
    take(made);
  });
  all_of<Attachment>({.particle = 0, .body = 0}, [&](const Attachment& of) {
    ParticleSet made = rope;
    made.attachments = {of};
    take(made);
  });
  EXPECT_GT(tried_, 30);
}

TEST_F(Ranges, of_fields_are_kept) {
  const auto take = [](const fields::Any& of) { balls().add_field({of, {}}); };
  each_kind<fields::Any>(take);
  all_of<fields::Spring>({0, 1, 1, 0, 0}, [&](const fields::Spring& of) { take(fields::Springs{{of}}); });
  EXPECT_GT(tried_, 50);
}

TEST_F(Ranges, of_params_limits_scales_and_draws_are_kept) {
  all_of<StepParams>({}, [](const StepParams& of) { Scene{}.set_params(of); });
  all_of<WorldLimits>({}, [](const WorldLimits& of) { Scene{}.set_limits(of); });
  World world(balls());
  all_of<Scales>({}, [&](const Scales& of) { world.scales().set(of, 0); });
  all_of<BodyScales>({}, [&](const BodyScales& of) { world.scales().set(of, world.bodies()[0]); });
  all_of<Randomisation>({},
                        [&](const Randomisation& of) { world.scales().randomise(std::vector<std::uint8_t>{1}, of); });
  EXPECT_GT(tried_, 100);
}

}  // namespace
}  // namespace cairn::scene_test
