// Random calls between steps.

#include <functional>
#include <iomanip>
#include <sstream>

#include "cairn/scene_file.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "src/scene_file/write_attributes.h"
#include "tests/mixed/mixed.h"

namespace cairn::mixed {
namespace {

template <class... T>
std::string text(const T&... parts) {
  std::ostringstream out;
  out << std::setprecision(9);
  (out << ... << parts);
  return out.str();
}
/// A call and what it is given, as scene files have it.
template <class... T>
std::string text_of_call(const std::string& what, const T&... given) {
  return (what + ... + (" " + scene_file::text_of_value(given)));
}

// What an edit may name, where it is there.
auto find_body(const std::string& name) {
  return [name](const Live& live) { return live.body(name); };
}
auto find_joint(const std::string& name) {
  return [name](const Live& live) { return live.joint(name); };
}
/// One of the articulations or sets of particles of a world, by its place there.
template <class Handle>
std::optional<Handle> one_of(const std::vector<Handle>& all, std::uint32_t which) {
  return all.empty() ? std::nullopt : std::optional(all[which % all.size()]);
}
auto find_robot(std::uint32_t which) {
  return [which](const Live& live) { return one_of(live.world->articulations().list(live.index), which); };
}
auto find_set(std::uint32_t which) {
  return [which](const Live& live) { return one_of(live.world->particles().list(live.index), which); };
}

/// A call for what is found, if it is there.
template <class Find, class F>
auto with(Find find, F f) {
  return [find, f](Live& live) {
    const auto there = find(live);
    if (there) f(*live.world, *there);
    return there.has_value();
  };
}
/// A call for a world.
template <class F>
auto with_world(F f) {
  return [f](Live& live) {
    f(*live.world, live.index);
    return true;
  };
}

/// Indices in a World.
IndexOf bodies_of(const Live& live) {
  return [&live](const std::string& name) {
    const auto body = live.body(name);
    return body ? std::optional(live.world->index_of(*body)) : std::nullopt;
  };
}
IndexOf joints_of(const Live& live) {
  return [&live](const std::string& name) {
    const auto joint = live.joint(name);
    return joint ? std::optional(live.world->index_of(*joint)) : std::nullopt;
  };
}

class Edits {
 public:
  Edits(Dice& dice, WorldPlan& plan, const Scene& around, int steps)
      : dice_(dice), plan_(plan), around_(around), steps_(steps) {
    for (const auto& joint : plan.joints) joints_.push_back(joint.what);
    for (const Body& body : around.bodies()) bodies_.push_back(body.name);
  }

  void add() {
    static constexpr void (Edits::*kKinds[])() = {
        &Edits::add_body,     &Edits::add_body,    &Edits::remove_body,  &Edits::remove_body,     &Edits::add_joint,
        &Edits::change_joint, &Edits::change_body, &Edits::change_body,  &Edits::change_material, &Edits::ignore,
        &Edits::move_body,    &Edits::push_body,   &Edits::change_world, &Edits::scale,           &Edits::go_back,
        &Edits::drive_robot,  &Edits::come_and_go};
    (this->*kKinds[dice_.below(std::size(kKinds))])();
  }

 private:
  template <class F>
  void put(int step, std::string what, F apply) {
    plan_.edits.push_back({{step, std::move(what), std::move(apply)}});
  }
  template <class F>
  void put(std::string what, F apply) {
    put(dice_.whole(1, steps_ - 1), std::move(what), std::move(apply));
  }
  /// f(world, body, given...)
  template <class F, class... T>
  void put_body(const std::string& what, const std::string& name, F f, const T&... given) {
    put(text_of_call(what + " " + name, given...),
        with(find_body(name), [=](World& world, BodyHandle at) { std::invoke(f, world, at, given...); }));
  }
  /// f(world, given..., its index)
  template <class F, class... T>
  void put_world(const std::string& what, F f, const T&... given) {
    put(text_of_call(what, given...),
        with_world([=](World& world, std::uint32_t k) { std::invoke(f, world, given..., k); }));
  }
  std::string some_body() { return bodies_.empty() ? "none" : dice_.of(bodies_); }

  void add_body() {
    const Body made = random_body(dice_, "n" + std::to_string(plan_.edits.size()), plan_, around_);
    bodies_.push_back(made.name);
    Scene shown;
    for (const Material& material : plan_.materials) shown.add_material(material);
    try {
      shown.add_body(made);
    } catch (const InvalidArgument&) {
    }
    std::string json = scene_to_json(shown);
    const std::size_t at = json.find("\"bodies\"");
    put("add_body " + (at == std::string::npos ? made.name : json.substr(at)),
        with_world([made](World& world, std::uint32_t k) { world.add_body(made, k); }));
  }
  void remove_body() { put_body("remove_body", some_body(), &World::remove_body); }
  void add_joint() {
    PlannedJoint made = random_joint(dice_, "k" + std::to_string(plan_.edits.size()), joints_, around_);
    joints_.push_back(made);
    put(text("add_joint ", made.joint.name, " of kind ", made.joint.kind.index(), " between ", made.a, " and ", made.b),
        [made](Live& live) {
          const auto joint = joint_of(made, joints_of(live), bodies_of(live));
          if (joint) live.world->add_joint(*joint, live.index);
          return joint.has_value();
        });
  }
  void change_joint() {
    if (joints_.empty()) return;
    const std::string name = dice_.of(joints_).joint.name;
    if (dice_.chance(0.5)) {
      put("remove_joint " + name, with(find_joint(name), [](World& world, JointHandle at) { world.remove_joint(at); }));
      return;
    }
    const JointDrive drive = random_drive(dice_);
    put(text_of_call("set_drive " + name, drive),
        with(find_joint(name), [drive](World& world, JointHandle at) { world.set_drive(at, drive); }));
  }
  void change_body() {
    const std::string name = some_body();
    const bool elastic = plan_.own.solver == SolverKind::kHertzMindlin;
    switch (dice_.below(elastic ? 2 : 6)) {
      case 0: {
        const Filter filter{dice_.of({1u, 2u, 3u}), dice_.of({~0u, 1u, 2u}), dice_.of({0, 0, 1, -1})};
        put_body("set_filter", name, &World::set_filter, filter);
        break;
      }
      case 1: {
        const auto set = [](World& world, BodyHandle body, std::uint32_t to) { world.set_material(body, to); };
        put_body("set_body_material", name, set, dice_.below(plan_.materials.size()));
        break;
      }
      case 2:
        put_body("set_type", name, &World::set_type,
                 dice_.of({BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic}));
        break;
      case 3: {
        const auto set = [](World& world, BodyHandle at, float damping, float gravity, bool turns) {
          Body body = world.description(at);
          body.linear_damping = damping;
          body.gravity_scale = gravity;
          body.fixed_rotation = !turns;
          body.bullet = !body.bullet;
          world.set_body(at, body);
        };
        const float damping = dice_.number(0, 2), gravity = dice_.number(-0.5, 2);
        const bool turns = dice_.chance(0.7);
        put_body("set_body", name, set, damping, gravity, turns);
        break;
      }
      case 4:
        put_body("set_enabled", name, &World::set_enabled, dice_.chance(0.5));
        break;
      default:
        put_body("set_mass", name, &World::set_mass, dice_.number(0.1, 50));
    }
  }
  void change_material() {
    const Material made = random_material(dice_, "m" + std::to_string(plan_.edits.size()) + "x", plan_.own);
    if (dice_.chance(0.3)) {
      put_world("add_material", &World::add_material, made);
      return;
    }
    const auto set = [](World& world, std::uint32_t which, const Material& material, std::uint32_t k) {
      world.set_material(which, material, k);
    };
    put_world("set_material", set, dice_.below(plan_.materials.size()), made);
  }
  void ignore() {
    const std::string a = some_body(), b = some_body();
    const bool on = dice_.chance(0.7);
    put(text("ignore ", a, " ", b, " ", on), [=](Live& live) {
      const auto of_a = live.body(a), of_b = live.body(b);
      if (of_a && of_b) live.world->ignore(*of_a, *of_b, on);
      return of_a && of_b;
    });
  }
  void move_body() {
    const std::string name = some_body();
    Vec3d at = dice_.place(1);
    at.z += 1;
    const Quat turn = dice_.turn();
    const Vec3 v = dice_.vector(5), w = dice_.vector(5);
    switch (dice_.below(5)) {
      case 0: {
        const auto set = [](World& world, BodyHandle body, Vec3d x, Quat q, Vec3 linear, Vec3 angular) {
          world.set_state(body, {x, q, linear, angular});
        };
        put_body("set_state", name, set, at, turn, v, w);
        break;
      }
      case 1:
        put_body("set_pose", name, &World::set_pose, at, turn);
        break;
      case 2:
        put_body("set_velocity", name, &World::set_velocity, v, w);
        break;
      case 3:
        put_body("move_to", name, &World::move_to, at, turn, 0.25f);
        break;
      default: {
        const auto add = [](World& world, Vec3 by, std::uint32_t k) {
          std::vector<BodyState> all(world.body_count(k));
          world.read_states(k, all);
          for (BodyState& s : all) s.linear_velocity = {s.linear_velocity.x + by.x, by.y, s.linear_velocity.z};
          world.write_states(k, all);
        };
        put_world("write_states, velocities by", add, v);
      }
    }
  }
  void push_body() {
    const std::string name = some_body();
    const Vec3 f = dice_.vector(dice_.chance(0.1) ? 1e5 : 200);
    const Vec3d at = dice_.place(1);
    const auto push = [](World& world, BodyHandle body, auto... force) { world.add_force(body, force...); };
    switch (dice_.below(4)) {
      case 0:
        put_body("add_force", name, push, f);
        break;
      case 1:
        put_body("add_force_at", name, push, f, at);
        break;
      case 2:
        put_body("add_torque", name, &World::add_torque, f);
        break;
      default:
        put_body("wake", name, &World::wake);
    }
  }
  void change_world() {
    switch (dice_.below(5)) {
      case 0:
        put_world("set_gravity", &World::set_gravity, dice_.vector(12));
        break;
      case 1: {
        const auto set = [](World& world, const WorldLimits& limits, std::uint32_t k) { world.set_limits(limits, k); };
        put_world("set_limits", set, random_limits(dice_));
        break;
      }
      case 2: {
        const auto set = [](World& world, const StepParams& own, std::uint32_t k) {
          // the shared ones may have changed
          StepParams params = world.params(k);
          params.restitution_threshold = own.restitution_threshold;
          params.recycle_tolerance = own.recycle_tolerance;
          params.friction_mix = own.friction_mix;
          params.restitution_mix = own.restitution_mix;
          params.rolling_mix = own.rolling_mix;
          params.sleep_speed = own.sleep_speed;
          params.sleep_time = own.sleep_time;
          world.set_params(params, k);
        };
        put_world("set_params", set, with_own(dice_, plan_.own));
        break;
      }
      case 3: {
        std::vector<PlannedField> fields;
        for (std::uint32_t n = dice_.below(3); n > 0; --n) fields.push_back(random_field(dice_, around_));
        std::string what = "set_fields";
        for (const PlannedField& field : fields) what += text(" ", field.law.index());
        put(what, [fields](Live& live) {
          std::vector<SceneField> all;
          for (const PlannedField& field : fields) {
            if (const auto made = field_of(field, bodies_of(live))) all.push_back(*made);
          }
          live.world->set_fields(all, live.index);
          return true;
        });
        break;
      }
      default:
        put_world("set_origin", &World::set_origin, dice_.place(100));
    }
  }
  void scale() {
    const bool elastic = plan_.own.solver == SolverKind::kHertzMindlin;
    const float size = elastic ? 1 : dice_.number(0.75, 1.5), mass = elastic ? 1 : dice_.number(0.5, 2);
    switch (dice_.below(3)) {
      case 0: {
        const Scales scales{size, mass, dice_.number(0, 2), dice_.number(0, 1)};
        put(text("set_scales {", size, ", ", mass, ", ", scales.friction, ", ", scales.restitution, "}"),
            with_world([scales](World& world, std::uint32_t k) { world.scales().set(scales, k); }));
        break;
      }
      case 1: {
        const std::string name = some_body();
        const float inertia = elastic ? 1 : dice_.number(0.7, 1.5);
        put(text("set_scales ", name, " {", size, ", ", mass, ", ", inertia, "}"),
            with(find_body(name), [=](World& world, BodyHandle body) {
              world.scales().set(BodyScales{size, mass, inertia}, body);
            }));
        break;
      }
      default: {
        Randomisation ranges{.friction = {0.5f, 1.5f}, .position = {0.05f, 0.05f, 0.05f}, .linear_velocity = {1, 1, 1}};
        if (!elastic && dice_.chance(0.5)) ranges.mass = ranges.body_mass = {0.5f, 2};
        if (!elastic && dice_.chance(0.3)) ranges.size = ranges.body_size = {0.8f, 1.25f};
        if (dice_.chance(0.3)) ranges.joint_damping = ranges.drive_stiffness = {0.5f, 1.5f};
        const std::uint64_t seed = dice_.below(1000);
        const bool fresh = dice_.chance(0.5);
        put(text("set_seed ", seed, fresh ? ", reset" : "", ", randomise, sizes to ", ranges.size.high, ", masses to ",
                 ranges.mass.high),
            with_world([=](World& world, std::uint32_t k) {
              std::vector<std::uint8_t> chosen(world.world_count(), 0);
              chosen[k] = 1;
              world.scales().set_seed(seed, k);
              if (fresh) world.reset(chosen);
              world.scales().randomise(chosen, ranges);
            }));
      }
    }
  }
  void go_back() {
    if (dice_.chance(0.5)) {
      put("reset", with_world([](World& world, std::uint32_t k) { world.reset(k); }));
      return;
    }
    const int first = dice_.whole(1, steps_ - 1);
    put(first, "take a snapshot of the world", [](Live& live) {
      live.kept = live.world->snapshot(live.index);
      return true;
    });
    put(dice_.whole(first, steps_ - 1), "restore the world from it", [](Live& live) {
      if (live.kept) live.world->restore(*live.kept, 0, live.index);
      return live.kept.has_value();
    });
  }
  void drive_robot() {
    if (plan_.robots.empty()) return;
    const std::uint32_t which = dice_.below(4);
    std::vector<double> numbers;
    for (int i = 0; i < 64; ++i) numbers.push_back(dice_.number(-1, 1));
    const auto first = [numbers](std::size_t n) {
      return std::vector<double>(numbers.begin(),
                                 numbers.begin() + std::min<std::ptrdiff_t>(64, static_cast<std::ptrdiff_t>(n)));
    };
    switch (dice_.below(5)) {
      case 4: {
        const BodyScales scales{dice_.number(0.8, 1.25), dice_.number(0.5, 2), dice_.number(0.7, 1.5)};
        const std::uint32_t link = dice_.below(8);
        put(text("articulation ", which, ": scales of link ", link, " ", scales.size, ", ", scales.mass),
            with(find_robot(which), [scales, link](World& world, ArticulationHandle at) {
              const std::vector<BodyHandle> bodies = world.bodies(at);
              const BodyHandle body = bodies[link % bodies.size()];
              if (body) world.scales().set(scales, body);
            }));
        break;
      }
      case 3: {
        const double by = dice_.number(0, 2);
        const std::uint32_t link = dice_.below(8);
        put(text("articulation ", which, ": joint of link ", link, " times ", by),
            with(find_robot(which), [by, link](World& world, ArticulationHandle at) {
              const auto links = static_cast<std::uint32_t>(world.description(at).links.size());
              ArticulationJoint joint = world.articulations().joint(at, link % links);
              joint.damping *= by;
              joint.friction *= by;
              joint.drive_stiffness *= by;
              joint.armature = std::max(joint.armature * by, 0.1 * joint.armature);
              world.articulations().set_joint(at, link % links, joint);
            }));
        break;
      }
      case 0:
        put(text("articulation ", which, ": rates from ", numbers[0]),
            with(find_robot(which), [first](World& world, ArticulationHandle at) {
              ArticulationState state = world.state(at);
              state.v = first(state.v.size());
              world.set_state(at, state);
            }));
        break;
      case 1:
        put(text("articulation ", which, ": forces from ", numbers[0]),
            with(find_robot(which), [first](World& world, ArticulationHandle at) {
              world.articulations().set_forces(at, first(world.state(at).v.size()));
            }));
        break;
      default:
        put(text("articulation ", which, ": target rates from ", numbers[0]),
            with(find_robot(which), [first](World& world, ArticulationHandle at) {
              ArticulationState targets = world.state(at);
              targets.v = first(targets.v.size());
              world.articulations().set_targets(at, targets);
            }));
    }
  }

  void come_and_go() {
    const std::uint32_t which = dice_.below(4);
    const std::string name = text("copy ", dice_.below(1000));
    const double up = dice_.number(0.5, 4);
    switch (dice_.below(4)) {
      case 0:
        put(text("articulation ", which, " once more, ", up, " m up: ", name), [=](Live& live) {
          const auto of = find_robot(which)(live);
          if (!of || live.world->articulations().find(name, live.index)) return false;
          Articulation copy = live.world->description(*of);
          copy.name = name;
          ArticulationState start = live.world->state(*of);
          if (copy.links[0].joint.kind == ArticulationJointKind::kFree) start.q[2] += up;
          live.world->articulations().add(copy, start, live.index);
          return true;
        });
        break;
      case 1:
        put(text("remove articulation ", which),
            with(find_robot(which), [](World& world, ArticulationHandle at) { world.articulations().remove(at); }));
        break;
      case 2:
        put(text("set of particles ", which, " once more, ", up, " m up: ", name), [=](Live& live) {
          const auto of = find_set(which)(live);
          if (!of || live.world->particles().find(name, live.index)) return false;
          ParticleSet copy = live.world->description(*of);
          copy.name = name;
          copy.attachments.clear();
          for (Vec3d& p : copy.positions) p.z += up;
          live.world->particles().add(copy, live.index);
          return true;
        });
        break;
      default:
        put(text("remove set of particles ", which),
            with(find_set(which), [](World& world, ParticlesHandle of) { world.particles().remove(of); }));
    }
  }

  Dice& dice_;
  WorldPlan& plan_;
  const Scene& around_;
  int steps_;
  std::vector<PlannedJoint> joints_;
  std::vector<std::string> bodies_;
};

}  // namespace

void add_edits(Dice& dice, WorldPlan& plan, const Scene& around, int steps, int count) {
  if (steps < 2) return;
  Edits edits(dice, plan, around, steps);
  for (int i = 0; i < count; ++i) edits.add();
}

void add_common_edits(Dice& dice, MixedCase& mixed) {
  const auto put = [&](std::string what, std::function<void(World&, const WorldOptions&)> apply) {
    mixed.common.push_back({{dice.whole(1, mixed.steps - 1), std::move(what), std::move(apply)}});
  };
  if (dice.chance(0.15)) put("clear_status", [](World& world, const WorldOptions&) { world.clear_status(); });
  if (dice.chance(0.1)) {
    StepParams params = with_own(dice, mixed.shared);
    params.substeps = dice.whole(1, 4);
    params.sleeping = dice.chance(0.5);
    if (mixed.shared.solver == SolverKind::kHertzMindlin) params.substeps = mixed.shared.substeps + 1;
    put(text_of_call("set_params of all", params),
        [params](World& world, const WorldOptions&) { world.set_params(params); });
  }
  if (dice.chance(0.05)) {
    put("a World of its own snapshot",
        [](World& world, const WorldOptions& options) { world = World(world.snapshot(), options); });
  }
  if (dice.chance(0.05)) {
    put("restore of its own snapshot", [](World& world, const WorldOptions&) { world.restore(world.snapshot()); });
  }
}

}  // namespace cairn::mixed
