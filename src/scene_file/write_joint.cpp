#include "src/scene_file/joint_keys.h"
#include "src/scene_file/write_attributes.h"

namespace cairn::scene_file {

std::string joint_text(const Joint& joint, const Scene& scene) {
  Members members;
  const auto add_body = [&](std::string_view key, std::uint32_t body) {
    if (body != kWorldBody) members.add(key, text_of(rules::reference_to(scene.bodies(), body)));
  };
  const auto add_end = [&](const auto& a) {
    const std::uint32_t followed = std::get<GearJoint>(joint.kind).*a.member;
    members.add(a.key(), text_of(rules::reference_to(scene.joints(), followed)));
  };
  add_attributes(members, joint,
                 Overloads{[&](const Attribute<&Joint::body_a>& a) { add_body(a.key(), joint.body_a); },
                           [&](const Attribute<&Joint::body_b>& a) { add_body(a.key(), joint.body_b); },
                           [&](const Attribute<&Joint::kind>& a) {
                             members.add(a.key(), text_of(VariantWords<JointKind>::all[joint.kind.index()]));
                           }});
  const auto add_kind = [&](const auto& kind) {
    add_attributes(members, kind,
                   Overloads{[&](const Attribute<&GearJoint::joint_a>& a) { add_end(a); },
                             [&](const Attribute<&GearJoint::joint_b>& a) { add_end(a); }});
  };
  std::visit(add_kind, joint.kind);
  return members.end();
}

}  // namespace cairn::scene_file
