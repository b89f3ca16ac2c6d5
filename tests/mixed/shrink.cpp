// What differs, made small: less and less is left in while the batch still differs.

#include <chrono>
#include <sstream>

#include "cairn/scene_file.h"
#include "tests/mixed/mixed.h"

namespace cairn::mixed {
namespace {

class Shrinker {
 public:
  Shrinker(const MixedCase& mixed, double seconds)
      : best_(mixed), start_(std::chrono::steady_clock::now()), seconds_(seconds) {}

  MixedCase shrunk() {
    const auto first = difference(best_);
    if (!first) return best_;
    keep_one_group(*first);
    for (smaller_ = true; smaller_ && !late();) {
      smaller_ = false;
      drop_steps();
      drop_worlds();
      drop_items();
      simplify();
      drop_constraints();
    }
    return best_;
  }

 private:
  bool late() const { return std::chrono::steady_clock::now() - start_ > std::chrono::duration<double>(seconds_); }

  /// Takes a batch if it differs, too.
  bool take(MixedCase smaller) {
    if (late() || !difference(smaller)) return false;
    best_ = std::move(smaller);
    smaller_ = true;
    return true;
  }
  template <class F>
  bool attempt(const F& change) {
    MixedCase smaller = best_;
    return change(smaller) && take(std::move(smaller));
  }

  void keep_one_group(const Difference& first) {
    MixedCase smaller = best_;
    Setup setup = best_.setups[first.setup];
    setup.groups = {setup.groups[first.group]};
    smaller.setups = {setup};
    take(smaller);
  }

  void drop_steps() {
    const auto first = difference(best_);
    attempt([&](MixedCase& c) {
      if (!first || first->step < 1 || first->step >= c.steps) return false;
      c.steps = first->step;
      return true;
    });
  }

  void drop_worlds() {
    for (std::size_t g = 0; g < best_.setups[0].groups.size(); ++g) {
      for (std::size_t i = best_.setups[0].groups[g].size(); i-- > 0;) {
        attempt([&](MixedCase& c) {
          std::vector<std::uint32_t>& group = c.setups[0].groups[g];
          group.erase(group.begin() + static_cast<std::ptrdiff_t>(i));
          return !group.empty();
        });
      }
    }
  }

  /// Of the worlds that are still run.
  static std::vector<bool*> flags_of(MixedCase& c) {
    std::vector<bool*> flags;
    const auto add = [&](auto& items) {
      for (auto& item : items) {
        if (item.on) flags.push_back(&item.on);
      }
    };
    add(c.common);
    for (const auto& group : c.setups[0].groups) {
      for (const std::uint32_t w : group) {
        WorldPlan& p = c.worlds[w];
        add(p.edits), add(p.fields), add(p.ignored), add(p.joints), add(p.sets), add(p.robots), add(p.bodies);
      }
    }
    return flags;
  }

  /// Chunks of everything, then halves of these (delta debugging; Zeller and Hildebrandt 2002).
  void drop_items() {
    for (std::size_t chunk = std::max<std::size_t>(flags_of(best_).size() / 2, 1);; chunk /= 2) {
      for (std::size_t first = 0; first < flags_of(best_).size() && !late();) {
        const bool dropped = attempt([&](MixedCase& c) {
          const std::vector<bool*> flags = flags_of(c);
          for (std::size_t i = first; i < std::min(first + chunk, flags.size()); ++i) *flags[i] = false;
          return true;
        });
        if (!dropped) first += chunk;
      }
      if (chunk <= 1 || late()) return;
    }
  }

  /// Sets a member to a plainer value; false where it has that.
  template <class T>
  static bool plain(T& member, const T& value) {
    if (member == value) return false;
    member = value;
    return true;
  }

  /// Changes one item after the other of a list that each world has.
  template <class T, class F>
  void each(Items<T> WorldPlan::*items, const F& change) {
    for (std::size_t w = 0; w < best_.worlds.size(); ++w) {
      for (std::size_t i = 0; i < (best_.worlds[w].*items).size(); ++i) {
        if ((best_.worlds[w].*items)[i].on) attempt([&](MixedCase& c) { return change((c.worlds[w].*items)[i].what); });
      }
    }
  }
  template <class F>
  void each_body(const F& change) {
    each(&WorldPlan::bodies, change);
  }
  template <class F>
  void each_world(const F& change) {
    for (std::size_t w = 0; w < best_.worlds.size(); ++w) attempt([&](MixedCase& c) { return change(c.worlds[w]); });
  }
  template <class T>
  void simplify_materials(T Material::*member, const T& value) {
    each_world([&](WorldPlan& w) {
      bool changed = false;
      for (Material& m : w.materials) changed = plain(m.*member, value) || changed;
      return changed;
    });
  }
  template <class T>
  void simplify_params(T StepParams::*member, const T& value) {
    attempt([&](MixedCase& c) {
      bool changed = false;
      for (WorldPlan& world : c.worlds) changed = plain(world.own.*member, value) || changed;
      return changed;
    });
  }

  void simplify() {
    attempt([](MixedCase& c) { return plain(c.contact_events, false); });
    attempt([](MixedCase& c) { return plain(c.setups[0].threads, 1); });
    attempt([](MixedCase& c) { return plain(c.setups[0].tuning, Tuning{}); });
    attempt([](MixedCase& c) { return plain(c.setups[0].capacity, Capacity{}); });
    attempt([](MixedCase& c) { return plain(c.setups[0].capturable, false); });
    attempt([](MixedCase& c) { return plain(c.alone, Tuning{}); });
    simplify_params(&StepParams::substeps, 1);
    simplify_params(&StepParams::sleeping, false);
    each_world([](WorldPlan& w) { return plain(w.limits, WorldLimits{}); });
    each_world([](WorldPlan& w) { return plain(w.gravity, Vec3{0, 0, -9.81f}); });
    simplify_materials(&Material::restitution, 0.0f);
    simplify_materials(&Material::rolling_friction, 0.0f);
    simplify_materials(&Material::surface_velocity, Vec3{});
    each_body([](Body& b) { return pop(b.shapes, 1); });
    each_body([](Body& b) {
      if (b.shapes.size() < 2) return false;
      b.shapes.erase(b.shapes.begin());
      return true;
    });
    each_body([](Body& b) {
      return b.type == BodyType::kDynamic && b.shapes[0].geometry.index() > 1 &&
             plain(b.shapes[0].geometry, Geometry(Box{{0.25f, 0.25f, 0.25f}}));
    });
    each_body([](Body& b) { return plain(b.shapes[0].filter, Filter{}); });
    each_body([](Body& b) { return plain(b.shapes[0].sensor, false); });
    each_body([](Body& b) { return plain(b.orientation, Quat{}); });
    each_body([](Body& b) { return plain(b.angular_velocity, Vec3{}); });
    each_body([](Body& b) { return plain(b.linear_velocity, Vec3{}); });
    each_body([](Body& b) { return plain(b.bullet, false); });
    each_body([](Body& b) { return plain(b.gravity_scale, 1.0f); });
    each_body([](Body& b) { return plain(b.enabled, true); });
    each_body([](Body& b) {
      const bool changed = plain(b.linear_damping, 0.0f);
      return plain(b.angular_damping, 0.0f) || changed;
    });
    each_body([](Body& b) {
      const bool changed = b.inertia.has_value() || !b.point_masses.empty();
      b.inertia.reset();
      b.centre_of_mass.reset();
      b.point_masses.clear();
      return changed;
    });
  }

  /// Takes the last of a list.
  template <class T>
  static bool pop(std::vector<T>& list, std::size_t least) {
    if (list.size() <= least) return false;
    list.pop_back();
    return true;
  }

  /// The groups of constraints and attachments of sets, and the links of articulations, from the last.
  void drop_constraints() {
    each(&WorldPlan::sets, [](PlannedSet& s) { return pop(s.set.constraints, 0); });
    each(&WorldPlan::sets, [](PlannedSet& s) {
      const bool held = !s.held_by.empty();
      s.held_by.clear();
      return held;
    });
    for (const bool half : {true, false}) {
      each(&WorldPlan::sets, [half](PlannedSet& s) {
        if (s.set.constraints.empty()) return false;
        ConstraintGroup& group = s.set.constraints.back();
        const std::size_t ends = particles_of(group), count = ends == 0 ? 0 : group.particles.size() / ends;
        if (count < 2) return false;
        group.particles.resize(ends * (half ? count / 2 : count - 1));
        return true;
      });
    }
    each(&WorldPlan::robots, [](PlannedRobot& r) { return pop(r.robot.links, 1); });
  }

  MixedCase best_;
  std::chrono::steady_clock::time_point start_;
  double seconds_;      ///< [s]
  bool smaller_{true};  ///< something was taken
};

}  // namespace

MixedCase shrink(const MixedCase& mixed, double seconds) { return Shrinker(mixed, seconds).shrunk(); }

std::string text_of(const MixedCase& mixed) {
  std::ostringstream out;
  out << "seed " << mixed.seed << ", " << mixed.steps << " steps of";
  float last = 0;
  for (int i = 0; i < mixed.steps; ++i) {
    const float dt = mixed.dt[static_cast<std::size_t>(i)];
    if (dt != last) out << " " << dt << " s (from " << i << ")";
    last = dt;
  }
  out << (mixed.contact_events ? ", with contact events" : "") << "\nalone: small_world " << mixed.alone.small_world
      << "\n";
  for (const auto& [edit, on] : mixed.common) {
    if (on) out << "before step " << edit.step << ", all worlds: " << edit.text << "\n";
  }
  for (const Setup& setup : mixed.setups) {
    for (const auto& group : setup.groups) {
      out << "---- a batch on " << setup.threads << " threads, small_world " << setup.tuning.small_world
          << ", part_bodies " << setup.tuning.part_bodies << ", room for " << setup.capacity.pairs << " pairs"
          << (setup.capturable ? ", capturable" : "") << "\n";
      for (const std::uint32_t w : group) {
        const WorldPlan& plan = mixed.worlds[w];
        out << "-- world " << w << "\n" << scene_to_json(scene_of(plan)) << "\n";
        for (const auto& [edit, on] : plan.edits) {
          if (on) out << "before step " << edit.step << ": " << edit.text << "\n";
        }
      }
    }
  }
  return out.str();
}

}  // namespace cairn::mixed
