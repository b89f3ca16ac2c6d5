// What joints need no World for: their memory, and the check of an image.

#include <set>
#include <string_view>

#include "src/exec/counted_memory.h"
#include "src/joints/compile_joint.h"
#include "src/snapshot/image_check.h"
#include "src/world/estimate.h"
#include "src/world/features.h"

namespace cairn {
namespace {

/// Joints of an estimate's worlds, in the order of JointFeature.
JointOrder order_of(const Estimate& of, const ArticulationStore& articulations) {
  const Scene& scene = of.scene;
  std::vector<JointEdge> edges;
  std::uint32_t bodies = 0;
  for (const std::uint32_t part : of.parts.of_world) {
    const auto pushed = [&](std::uint32_t body) {
      const bool moves = body != kWorldBody && scene.bodies()[body].type == BodyType::kDynamic;
      return moves ? articulations.owner_of(bodies + body) : kernels::kNone;
    };
    const auto link = [&](std::uint32_t body) {
      return body != kWorldBody && articulations.is_link(bodies + body) ? bodies + body : kernels::kNone;
    };
    for (const Joint& joint : scene.joints()) {
      const auto joint_at = [&](std::uint32_t i) -> const Joint& { return scene.joints()[i]; };
      if (is_off(joint, joint_at, [&](std::uint32_t i) { return scene.bodies()[i].enabled; })) continue;
      const auto [a, b] = acted_on(joint, joint_at);
      edges.push_back({static_cast<std::uint32_t>(edges.size()), part, pushed(a), pushed(b), rows_of(model_of(joint)),
                       link(a), link(b)});
    }
    bodies += of.bodies();
  }
  return order_joints(edges, of.parts.count);
}

}  // namespace

std::uint64_t JointFeature::bytes(const Estimate& of) {
  const std::size_t count = of.scene.joints().size() * of.worlds();
  if (count == 0) return 0;
  exec::CountedMemory articulated;
  ArticulationStore articulations(articulated.journal);
  ArticulationFeature::fill(articulations, of);
  exec::CountedMemory memory;
  JointStore joints(memory.journal);
  joints.reserve(count);
  joints.set_rows(std::vector<std::uint32_t>(count));
  joints.set_order(order_of(of, articulations));
  return memory.journal.held();
}

void JointFeature::check_image(snapshot::ImageCheck& of) {
  of.require_slots(&snapshot::WorldPart::joints);
  for (snapshot::WorldCheck& world : of.worlds) {
    const std::vector<snapshot::JointPart>& joints = world.part.joints;
    const rules::JointPlace place{[&](std::uint32_t id) { return world.alive(id); },
                                  [&](std::uint32_t id) -> const Joint* {
                                    if (id >= joints.size() || !joints[id].alive) return nullptr;
                                    return &joints[id].joint;
                                  }};
    std::vector<std::uint32_t> dead;
    std::set<std::string_view> names;
    for (std::uint32_t id = 0; id < joints.size(); ++id) {
      const snapshot::JointPart& joint = joints[id];
      if (!joint.alive) {
        dead.push_back(id);
        continue;
      }
      world.require(joint.generation != 0, "a joint without a generation");
      world.refuse_fault(rules::find_fault(joint.joint, place), "a joint");
      world.require(joint.joint.name.empty() || names.insert(joint.joint.name).second, "two joints of one name");
      world.require(joint.memory.broken <= 1, "a joint that is neither whole nor broken");
      world.require(snapshot::finite(joint.result.force) && snapshot::finite(joint.result.torque) &&
                        std::ranges::all_of(joint.memory.impulse, [](float l) { return std::isfinite(l); }),
                    "a joint's impulse is not finite");
      if (keeps_apart(joint.joint)) world.ignores[joint.joint.body_a] = world.ignores[joint.joint.body_b] = true;
    }
    world.require(snapshot::same(dead, world.part.free_joints), "the list of free joints is not that of those removed");
  }
}

}  // namespace cairn
