// A batch run both ways: each of its worlds alone, and all together.

#include <algorithm>
#include <cstring>

#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "tests/mixed/mixed.h"

namespace cairn::mixed {

std::optional<BodyHandle> Live::body(const std::string& name) const { return world->find_body(name, index); }
std::optional<JointHandle> Live::joint(const std::string& name) const { return world->find_joint(name, index); }

namespace {

/// FNV-1a over what a call of the public interface tells.
class Digest {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void add(T value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char b : bytes) hash_ = (hash_ ^ b) * 0x100000001b3u;
  }
  template <class T>
  void add(const Vec3T<T>& v) {
    add(v.x), add(v.y), add(v.z);
  }
  template <class T>
  void add_all(const std::vector<T>& list) {
    add(list.size());
    for (const T& each : list) add(each);
  }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_{0xcbf29ce484222325u};
};

/// What a world tells of itself beside its state, by name.
using Told = std::vector<std::pair<const char*, std::uint64_t>>;

std::uint32_t id_of(const World& world, BodyHandle body) {
  return body && world.alive(body) ? world.index_of(body) : ~0u;
}

Told told_by(const World& world, std::uint32_t k, bool with_events) {
  Told told;
  const auto tell = [&](const char* name, const auto& f) {
    Digest digest;
    f(digest);
    told.push_back({name, digest.hash()});
  };
  tell("report", [&](Digest& d) {
    const WorldReport report = world.report(k);
    d.add(report.status), d.add(id_of(world, report.first_bad)), d.add(report.first_bad_step), d.add(report.steps);
    d.add(report.time), d.add(report.bodies);
  });
  tell("contacts", [&](Digest& d) {
    for (const Contact& c : world.contacts()) {
      if (!world.alive(c.a) || world.world_of(c.a) != k) continue;
      d.add(id_of(world, c.a)), d.add(id_of(world, c.b)), d.add(c.normal), d.add(c.count), d.add(c.friction_impulse);
      for (int i = 0; i < c.count; ++i) {
        const Contact::Point& p = c.points[static_cast<std::size_t>(i)];
        d.add(p.position), d.add(p.separation), d.add(p.impulse);
      }
    }
  });
  tell("sleep", [&](Digest& d) {
    for (const BodyHandle body : world.bodies(k)) d.add(world.asleep(body));
  });
  tell("joints", [&](Digest& d) {
    for (const JointHandle joint : world.joints(k)) {
      const JointState s = world.state(joint);
      for (const double c : s.coordinates) d.add(c);
      d.add(s.force), d.add(s.torque), d.add(s.broken);
    }
  });
  tell("articulations", [&](Digest& d) {
    for (const ArticulationHandle at : world.articulations().list(k)) {
      const ArticulationState s = world.state(at);
      d.add_all(s.q), d.add_all(s.v);
    }
  });
  tell("particles", [&](Digest& d) {
    for (const ParticlesHandle set : world.particles().list(k)) {
      d.add_all(world.particles().constraint_forces(set)), d.add_all(world.particles().broken_constraints(set));
      d.add_all(world.particles().pressures(set)), d.add_all(world.particles().densities(set));
    }
  });
  tell("masses", [&](Digest& d) {
    for (const BodyHandle body : world.bodies(k)) d.add(world.mass_properties(body).mass);
  });
  tell("residual", [&](Digest& d) {
    const ContactResidual r = world.residual(k);
    d.add(r.signorini), d.add(r.coulomb), d.add(r.twist), d.add(r.cone), d.add(r.penetration), d.add(r.points);
  });
  if (with_events) {
    tell("contact events", [&](Digest& d) {
      const ContactEvents events = world.contact_events(k);
      const auto end = [&](const ContactShape& e) { d.add(id_of(world, e.body)), d.add(e.shape); };
      for (const auto* list : {&events.begun, &events.persisting}) {
        d.add(list->size());
        for (const ContactEvent& t : *list) {
          end(t.a), end(t.b), d.add(t.sensor), d.add(t.position), d.add(t.normal), d.add(t.separation);
          d.add(t.impulse);
        }
      }
      for (const EndedContact& t : events.ended) end(t.a), end(t.b), d.add(t.sensor);
    });
  }
  return told;
}

/// What a world did: its hash after each step, and what it told at the end.
struct Run {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint8_t> log;
  Told told;
  std::string stopped;  ///< what a step threw
};

enum : std::uint8_t { kDone, kGone, kRefused };

std::vector<Run> run(const MixedCase& mixed, const std::vector<Scene>& scenes, const std::vector<std::uint32_t>& group,
                     const WorldOptions& options) {
  std::vector<Run> runs(group.size());
  std::vector<Scene> chosen;
  for (const std::uint32_t w : group) chosen.push_back(scenes[w]);
  std::optional<World> made;
  try {
    made.emplace(std::span<const Scene>(chosen), options);
  } catch (const InvalidArgument& error) {
    for (Run& each : runs) each.stopped = error.what();
    return runs;
  }
  World& world = *made;
  std::vector<Live> lives;
  for (std::uint32_t i = 0; i < group.size(); ++i) lives.push_back({&world, i});
  for (int step = 0; step < mixed.steps; ++step) {
    for (const auto& [edit, on] : mixed.common) {
      if (on && edit.step == step) edit.apply(world, options);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (const auto& [edit, on] : mixed.worlds[group[i]].edits) {
        if (!on || edit.step != step) continue;
        std::uint8_t came_to = kRefused;
        try {
          came_to = edit.apply(lives[i]) ? kDone : kGone;
        } catch (const InvalidArgument&) {
        }
        lives[i].log.push_back(came_to);
      }
    }
    try {
      world.step(mixed.dt[static_cast<std::size_t>(step)]);
    } catch (const InvalidArgument& error) {
      for (Run& each : runs) each.stopped = error.what();
      return runs;
    }
    const std::vector<std::uint64_t> hashes = world.state_hashes();
    for (std::size_t i = 0; i < group.size(); ++i) runs[i].hashes.push_back(hashes[i]);
  }
  for (std::uint32_t i = 0; i < group.size(); ++i) {
    runs[i].log = lives[i].log;
    runs[i].told = told_by(world, i, mixed.contact_events);
  }
  return runs;
}

WorldOptions options_of(const MixedCase& mixed, const Setup& setup) {
  WorldOptions options;
  options.device = Device::cpu(setup.threads);
  options.tuning = setup.tuning;
  options.capacity = setup.capacity;
  options.capturable = setup.capturable;
  options.contact_events = mixed.contact_events;
  return options;
}

/// The first thing in which two runs differ.
std::optional<std::pair<int, std::string>> compare(const Run& alone, const Run& together) {
  if (alone.stopped != together.stopped) {
    return std::pair{static_cast<int>(together.hashes.size()), "stopped: \"" + together.stopped + "\""};
  }
  const auto [a, b] = std::ranges::mismatch(alone.hashes, together.hashes);
  if (a != alone.hashes.end()) return std::pair{static_cast<int>(a - alone.hashes.begin()) + 1, std::string("state")};
  if (alone.log != together.log) return std::pair{static_cast<int>(alone.hashes.size()), std::string("edits")};
  for (std::size_t i = 0; i < alone.told.size() && i < together.told.size(); ++i) {
    if (alone.told[i] == together.told[i]) continue;
    return std::pair{static_cast<int>(alone.hashes.size()), std::string(alone.told[i].first)};
  }
  return std::nullopt;
}

void count_world(const MixedCase& mixed, std::size_t w, const Scene& scene, const Run& alone, Counts& counts) {
  const auto count = [&](const std::string& what, bool there = true) { counts[what] += there ? 1 : 0; };
  count(std::string("solver ").append(word_of(mixed.shared.solver)));
  count(std::string("sweep ").append(word_of(mixed.shared.sweep)), mixed.shared.solver == SolverKind::kXpbd);
  count("style " + mixed.worlds[w].style);
  count("sleeping allowed", mixed.shared.sleeping);
  count("contact events kept", mixed.contact_events);
  count("with joints", !scene.joints().empty());
  count("with articulations", !scene.articulations().empty());
  count("with fields", !scene.fields().empty());
  count("with ignored pairs", !scene.ignored().empty());
  count("with edits", !mixed.worlds[w].edits.empty());
  count("with gears",
        std::ranges::any_of(scene.joints(), [](const Joint& j) { return std::holds_alternative<GearJoint>(j.kind); }));
  bool fluid = false, constraints = false, held = false;
  for (const SceneParticles& set : scene.particles()) {
    fluid = fluid || set.description.fluid.has_value();
    constraints = constraints || !set.description.constraints.empty();
    held = held || !set.description.attachments.empty();
  }
  count("with fluids", fluid), count("with constraints of particles", constraints), count("with attachments", held);
  for (const Joint& joint : scene.joints()) count("joints of kind " + std::to_string(joint.kind.index()));
  for (const SceneField& field : scene.fields()) count("fields of kind " + std::to_string(field.law.index()));
  bool sensors = false, compounds = false, bounces = false, rolls = false, belts = false;
  for (const Body& body : scene.bodies()) {
    compounds = compounds || body.shapes.size() > 1;
    for (const Shape& shape : body.shapes) {
      count("shapes of kind " + std::to_string(shape.geometry.index()));
      sensors = sensors || shape.sensor;
    }
  }
  for (const Material& m : scene.materials()) {
    bounces = bounces || m.restitution > 0;
    rolls = rolls || m.rolling_friction > 0;
    belts = belts || m.surface_velocity != Vec3{};
  }
  count("with sensors", sensors), count("with compound bodies", compounds);
  count("with restitution", bounces), count("with rolling friction", rolls);
  count("with belts", belts);
  for (const auto& edit : mixed.worlds[w].edits) count("edit " + edit.what.text.substr(0, edit.what.text.find(' ')));
  for (const std::uint8_t came_to : alone.log) {
    count(came_to == kDone ? "edits done" : (came_to == kGone ? "edits of what is gone" : "edits refused"));
  }
  counts["steps"] += alone.hashes.size();
  count("worlds whose step was refused", !alone.stopped.empty());
}

}  // namespace

std::optional<Difference> difference(const MixedCase& mixed, Counts* counts) {
  std::vector<Scene> scenes;
  std::vector<std::string> refused;
  for (const WorldPlan& plan : mixed.worlds) scenes.push_back(scene_of(plan, &refused));
  std::vector<Run> alone(scenes.size());
  std::vector<std::uint8_t> stands(scenes.size(), 1);
  for (std::uint32_t w = 0; w < scenes.size(); ++w) {
    const auto is_used = [&](const Setup& setup) {
      return std::ranges::any_of(setup.groups, [&](const auto& group) { return std::ranges::count(group, w) != 0; });
    };
    if (!std::ranges::any_of(mixed.setups, is_used)) continue;
    alone[w] = run(mixed, scenes, {w}, options_of(mixed, {.tuning = mixed.alone})).at(0);
    stands[w] = alone[w].stopped.empty() ? 1 : 0;
    if (counts == nullptr) continue;
    count_world(mixed, w, scenes[w], alone[w], *counts);
    (*counts)["worlds"] += 1;
  }
  if (counts != nullptr) {
    (*counts)["batches"] += 1;
    for (const std::string& what : refused) (*counts)["refused " + what.substr(0, what.find(':'))] += 1;
  }
  for (std::size_t s = 0; s < mixed.setups.size(); ++s) {
    const Setup& setup = mixed.setups[s];
    for (std::size_t g = 0; g < setup.groups.size(); ++g) {
      // what can't be stepped alone can't be in company
      std::vector<std::uint32_t> group;
      std::ranges::copy_if(setup.groups[g], std::back_inserter(group), [&](std::uint32_t w) { return stands[w] != 0; });
      if (group.empty()) continue;
      const std::vector<Run> together = run(mixed, scenes, group, options_of(mixed, setup));
      std::optional<Difference> first;
      for (std::size_t i = 0; i < group.size(); ++i) {
        const auto differs = compare(alone[group[i]], together[i]);
        if (!differs || (first && first->step <= differs->first)) continue;
        first = Difference{s, g, group[i], differs->first, differs->second};
      }
      if (first) return first;
    }
  }
  return std::nullopt;
}

}  // namespace cairn::mixed
