#pragma once
// Descriptions of joints -> their models on the device.

#include <array>
#include <functional>

#include "cairn/joint.h"
#include "kernels/common/joints.h"
#include "src/describe/attributes.h"

namespace cairn {

/// The six axes of a joint of any kind.
struct JointShape {
  kernels::JointCoordinates coordinates{kernels::JointCoordinates::kSwingTwist};
  std::array<JointAxis, kJointDofs> axes;
  bool cone{false};  ///< kSwingY is the angle between the x axes
};
JointShape shape_of(const JointKind& kind);

/// The default axis for drives of a joint that has one.
JointDof main_dof(const JointKind& kind);

/// The description of a joint along one of its axes; null where the kind leaves no choice.
JointAxis* axis_of(JointKind& kind, JointDof dof);

/// Calls f(dof, key, axis) for each axis along which a kind of joint leaves a choice.
template <class Kind, class F>
void each_axis(Kind& kind, const F& f) {
  each_attribute<std::remove_const_t<Kind>>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    using V = typename Attribute<kMember>::Type;
    if constexpr (std::same_as<V, JointAxis>) {
      f(static_cast<JointDof>(attribute.info.dof), attribute.key(), kind.*kMember);
    } else if constexpr (kIsElements<V>) {
      for (std::size_t i = 0; i < kJointDofs; ++i)
        f(static_cast<JointDof>(i), attribute.info.elements[i], (kind.*kMember)[i]);
    }
  });
}

/// True for a joint whose two bodies don't collide.
bool keeps_apart(const Joint& joint);

/// Indices of the two bodies that a joint acts on; for a gear the second bodies of the joints that it follows, which
/// `joint_at` gives by index.
std::array<std::uint32_t, 2> acted_on(const Joint& joint, const std::function<const Joint&(std::uint32_t)>& joint_at);

/// True where a joint holds nothing, since a body that it acts on, or that a gear follows, is disabled: `enabled` is
/// false at its index.
bool is_off(const Joint& joint, const std::function<const Joint&(std::uint32_t)>& joint_at,
            const std::function<bool(std::uint32_t)>& enabled);

/// [1] Axes on which a joint acts, and the locked ones among them.
struct JointRowCount {
  std::uint32_t all{0}, locked{0};
};
JointRowCount rows_of(const kernels::JointModel& model);

/// The whole model except for bodies, anchors, frames and a gear's joints, which depend on the joint's place.
kernels::JointModel model_of(const Joint& joint);

}  // namespace cairn
