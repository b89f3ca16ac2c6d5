// The check of the joints of an image.

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "src/joints/compile_joint.h"
#include "src/joints/joint_feature.h"
#include "src/snapshot/image_check.h"

namespace cairn {

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
