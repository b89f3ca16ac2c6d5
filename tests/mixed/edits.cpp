// Random calls between steps.

#include <iomanip>
#include <sstream>

#include "cairn/scene_file.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
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
std::string text_of(Vec3 v) { return text("{", v.x, ", ", v.y, ", ", v.z, "}"); }
std::string text_of(Vec3d v) { return text("{", v.x, ", ", v.y, ", ", v.z, "}"); }
std::string text_of(Quat q) { return text("{", q.x, ", ", q.y, ", ", q.z, ", ", q.w, "}"); }
std::string text_of(const JointDrive& d) {
  return text("{stiffness ", d.stiffness, ", damping ", d.damping, ", target ", d.target, ", rate ", d.rate, ", force ",
              d.force, ", most ", d.max_force, "}");
}
std::string text_of(const Material& m) {
  return text("{", m.name, ", density ", m.density, ", friction ", m.friction, ", restitution ", m.restitution,
              ", rolling ", m.rolling_friction, ", young ", m.young_modulus, ", poisson ", m.poisson_ratio, ", belt ") +
         text_of(m.surface_velocity) + "}";
}
std::string text_of(const StepParams& p) {
  return text("{threshold ", p.restitution_threshold, ", recycle ", p.recycle_tolerance, ", mixes ",
              static_cast<int>(p.friction_mix), static_cast<int>(p.restitution_mix), static_cast<int>(p.rolling_mix),
              ", sleep ", p.sleep_speed, " m/s ", p.sleep_time, " s, substeps ", p.substeps, ", solver ",
              static_cast<int>(p.solver), "}");
}

/// A call for a body that is there.
template <class F>
std::function<bool(Live&)> with_body(const std::string& name, F f) {
  return [name, f](Live& live) {
    const auto body = live.body(name);
    if (body) f(*live.world, *body);
    return body.has_value();
  };
}
/// A call for a world.
template <class F>
std::function<bool(Live&)> with_world(F f) {
  return [f](Live& live) {
    f(*live.world, live.index);
    return true;
  };
}

/// Fields by the bodies' indices in a World, or nothing where one of them is gone.
std::optional<SceneField> named_in(const PlannedField& field, const Live& live) {
  SceneField made{.law = field.law};
  const auto index = [&](const std::string& name) -> std::optional<std::uint32_t> {
    const auto body = live.body(name);
    return body ? std::optional(live.world->index_of(*body)) : std::nullopt;
  };
  if (field.bodies) {
    made.bodies.emplace();
    for (const std::string& name : *field.bodies) {
      if (const auto at = index(name)) made.bodies->push_back(*at);
    }
  }
  for (std::size_t i = 0; i < field.ends.size(); ++i) {
    const auto a = index(field.ends[i].first), b = index(field.ends[i].second);
    if (!a || !b) return std::nullopt;
    fields::Spring& spring = std::get<fields::Springs>(made.law).springs[i];
    spring.a = *a;
    spring.b = *b;
  }
  return made;
}

/// One of the articulations of a world, by its place there.
template <class F>
std::function<bool(Live&)> with_robot(std::uint32_t which, F f) {
  return [which, f](Live& live) {
    const auto robots = live.world->articulations().list(live.index);
    if (robots.empty()) return false;
    f(*live.world, robots[which % robots.size()]);
    return true;
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
    switch (dice_.below(17)) {
      case 16:
        come_and_go();
        break;
      case 0:
      case 1:
        add_body();
        break;
      case 2:
      case 3:
        remove_body();
        break;
      case 4:
        add_joint();
        break;
      case 5:
        change_joint();
        break;
      case 6:
        change_body();
        break;
      case 7:
        change_body();
        break;
      case 8:
        change_material();
        break;
      case 9:
        ignore();
        break;
      case 10:
        move_body();
        break;
      case 11:
        push_body();
        break;
      case 12:
        change_world();
        break;
      case 13:
        scale();
        break;
      case 14:
        go_back();
        break;
      default:
        drive_robot();
        break;
    }
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
  void remove_body() {
    const std::string name = some_body();
    put("remove_body " + name, with_body(name, [](World& world, BodyHandle body) { world.remove_body(body); }));
  }
  void add_joint() {
    PlannedJoint made = random_joint(dice_, "k" + std::to_string(plan_.edits.size()), joints_, around_);
    joints_.push_back(made);
    Scene shown = scene_of(plan_);
    put(text("add_joint ", made.joint.name, " of kind ", made.joint.kind.index(), " between ", made.a, " and ", made.b),
        [made](Live& live) {
          PlannedJoint joint = made;
          if (auto* gear = std::get_if<GearJoint>(&joint.joint.kind)) {
            const auto a = live.joint(made.a), b = live.joint(made.b);
            if (!a || !b) return false;
            gear->joint_a = live.world->index_of(*a);
            gear->joint_b = live.world->index_of(*b);
          } else {
            const auto a = live.body(made.a), b = live.body(made.b);
            if ((!a && !made.a.empty()) || (!b && !made.b.empty())) return false;
            if (a) joint.joint.body_a = live.world->index_of(*a);
            if (b) joint.joint.body_b = live.world->index_of(*b);
          }
          live.world->add_joint(joint.joint, live.index);
          return true;
        });
  }
  void change_joint() {
    if (joints_.empty()) return;
    const std::string name = dice_.of(joints_).joint.name;
    if (dice_.chance(0.5)) {
      put("remove_joint " + name, [name](Live& live) {
        const auto joint = live.joint(name);
        if (joint) live.world->remove_joint(*joint);
        return joint.has_value();
      });
      return;
    }
    const JointDrive drive = random_drive(dice_);
    put("set_drive " + name + " " + text_of(drive), [name, drive](Live& live) {
      const auto joint = live.joint(name);
      if (joint) live.world->set_drive(*joint, drive);
      return joint.has_value();
    });
  }
  void change_body() {
    const std::string name = some_body();
    const bool elastic = plan_.own.solver == SolverKind::kHertzMindlin;
    switch (dice_.below(elastic ? 2 : 6)) {
      case 0: {
        const Filter filter{dice_.of({1u, 2u, 3u}), dice_.of({~0u, 1u, 2u}), dice_.of({0, 0, 1, -1})};
        put(text("set_filter ", name, " {", filter.category, ", ", filter.mask, ", ", filter.group, "}"),
            with_body(name, [filter](World& world, BodyHandle body) { world.set_filter(body, filter); }));
        break;
      }
      case 1: {
        const std::uint32_t material = dice_.below(plan_.materials.size());
        put(text("set_body_material ", name, " ", material),
            with_body(name, [material](World& world, BodyHandle body) { world.set_material(body, material); }));
        break;
      }
      case 2: {
        const auto type = dice_.of({BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic});
        put(text("set_type ", name, " ", static_cast<int>(type)),
            with_body(name, [type](World& world, BodyHandle body) { world.set_type(body, type); }));
        break;
      }
      case 4: {
        const bool on = dice_.chance(0.5);
        put(text("set_enabled ", name, " ", on),
            with_body(name, [on](World& world, BodyHandle body) { world.set_enabled(body, on); }));
        break;
      }
      case 3: {
        const float damping = dice_.number(0, 2), gravity = dice_.number(-0.5, 2);
        const bool turns = dice_.chance(0.7);
        put(text("set_body ", name, " ", damping, " ", gravity, " ", turns),
            with_body(name, [=](World& world, BodyHandle at) {
              Body body = world.description(at);
              body.linear_damping = damping;
              body.gravity_scale = gravity;
              body.fixed_rotation = !turns;
              body.bullet = !body.bullet;
              world.set_body(at, body);
            }));
        break;
      }
      default: {
        const float mass = dice_.number(0.1, 50);
        put(text("set_mass ", name, " ", mass),
            with_body(name, [mass](World& world, BodyHandle body) { world.set_mass(body, mass); }));
      }
    }
  }
  void change_material() {
    const Material made = random_material(dice_, "m" + std::to_string(plan_.edits.size()) + "x", plan_.own);
    if (dice_.chance(0.3)) {
      put("add_material " + text_of(made),
          with_world([made](World& world, std::uint32_t k) { world.add_material(made, k); }));
      return;
    }
    const std::uint32_t which = dice_.below(plan_.materials.size());
    put(text("set_material ", which, " ") + text_of(made),
        with_world([=](World& world, std::uint32_t k) { world.set_material(which, made, k); }));
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
      case 0:
        put(text("set_state ", name, " ", text_of(at), " ", text_of(turn), " ", text_of(v), " ", text_of(w)),
            with_body(name, [=](World& world, BodyHandle body) {
              world.set_state(body, {at, turn, v, w});
            }));
        break;
      case 1:
        put(text("set_pose ", name, " ", text_of(at), " ", text_of(turn)),
            with_body(name, [=](World& world, BodyHandle body) { world.set_pose(body, at, turn); }));
        break;
      case 2:
        put(text("set_velocity ", name, " ", text_of(v), " ", text_of(w)),
            with_body(name, [=](World& world, BodyHandle body) { world.set_velocity(body, v, w); }));
        break;
      case 3:
        put(text("move_to ", name, " ", text_of(at), " ", text_of(turn)),
            with_body(name, [=](World& world, BodyHandle body) { world.move_to(body, at, turn, 0.25f); }));
        break;
      default:
        put(text("write_states, velocities by ", text_of(v)), with_world([v](World& world, std::uint32_t k) {
              std::vector<BodyState> all(world.body_count(k));
              world.read_states(k, all);
              for (BodyState& s : all) s.linear_velocity = {s.linear_velocity.x + v.x, v.y, s.linear_velocity.z};
              world.write_states(k, all);
            }));
    }
  }
  void push_body() {
    const std::string name = some_body();
    const Vec3 f = dice_.vector(dice_.chance(0.1) ? 1e5 : 200);
    const Vec3d at = dice_.place(1);
    switch (dice_.below(4)) {
      case 0:
        put("add_force " + name + " " + text_of(f),
            with_body(name, [f](World& world, BodyHandle body) { world.add_force(body, f); }));
        break;
      case 1:
        put("add_force_at " + name + " " + text_of(f) + " " + text_of(at),
            with_body(name, [f, at](World& world, BodyHandle body) { world.add_force(body, f, at); }));
        break;
      case 2:
        put("add_torque " + name + " " + text_of(f),
            with_body(name, [f](World& world, BodyHandle body) { world.add_torque(body, f); }));
        break;
      default:
        put("wake " + name, with_body(name, [](World& world, BodyHandle body) { world.wake(body); }));
    }
  }
  void change_world() {
    switch (dice_.below(5)) {
      case 0: {
        const Vec3 g = dice_.vector(12);
        put("set_gravity " + text_of(g), with_world([g](World& world, std::uint32_t k) { world.set_gravity(g, k); }));
        break;
      }
      case 1: {
        const WorldLimits limits = random_limits(dice_);
        put(text("set_limits ", limits.upper.x, " m ", limits.speed, " m/s ", limits.angular_speed, " rad/s"),
            with_world([limits](World& world, std::uint32_t k) { world.set_limits(limits, k); }));
        break;
      }
      case 2: {
        const StepParams own = with_own(dice_, plan_.own);
        put("set_params " + text_of(own), with_world([own](World& world, std::uint32_t k) {
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
            }));
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
            if (const auto made = named_in(field, live)) all.push_back(*made);
          }
          live.world->set_fields(all, live.index);
          return true;
        });
        break;
      }
      default: {
        const Vec3d at = dice_.place(100);
        put("set_origin " + text_of(at), with_world([at](World& world, std::uint32_t k) { world.set_origin(at, k); }));
      }
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
            with_body(name, [=](World& world, BodyHandle body) {
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
            with_robot(which, [scales, link](World& world, ArticulationHandle at) {
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
            with_robot(which, [by, link](World& world, ArticulationHandle at) {
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
            with_robot(which, [first](World& world, ArticulationHandle at) {
              ArticulationState state = world.state(at);
              state.v = first(state.v.size());
              world.set_state(at, state);
            }));
        break;
      case 1:
        put(text("articulation ", which, ": forces from ", numbers[0]),
            with_robot(which, [first](World& world, ArticulationHandle at) {
              world.articulations().set_forces(at, first(world.state(at).v.size()));
            }));
        break;
      default:
        put(text("articulation ", which, ": target rates from ", numbers[0]),
            with_robot(which, [first](World& world, ArticulationHandle at) {
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
    const auto set = [which](const Live& live) -> std::optional<ParticlesHandle> {
      const auto all = live.world->particles().list(live.index);
      return all.empty() ? std::nullopt : std::optional(all[which % all.size()]);
    };
    switch (dice_.below(4)) {
      case 0:
        put(text("articulation ", which, " once more, ", up, " m up: ", name), [=](Live& live) {
          const auto robots = live.world->articulations().list(live.index);
          if (robots.empty() || live.world->articulations().find(name, live.index)) return false;
          const ArticulationHandle at = robots[which % robots.size()];
          Articulation copy = live.world->description(at);
          copy.name = name;
          ArticulationState start = live.world->state(at);
          if (copy.links[0].joint.kind == ArticulationJointKind::kFree) start.q[2] += up;
          live.world->articulations().add(copy, start, live.index);
          return true;
        });
        break;
      case 1:
        put(text("remove articulation ", which),
            with_robot(which, [](World& world, ArticulationHandle at) { world.articulations().remove(at); }));
        break;
      case 2:
        put(text("set of particles ", which, " once more, ", up, " m up: ", name), [=](Live& live) {
          const auto of = set(live);
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
        put(text("remove set of particles ", which), [=](Live& live) {
          const auto of = set(live);
          if (of) live.world->particles().remove(*of);
          return of.has_value();
        });
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
    put("set_params of all " + text_of(params),
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
