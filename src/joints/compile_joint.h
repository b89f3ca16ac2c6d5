#pragma once
// Joints as the device holds them, from how they are described.

#include <array>
#include <functional>

#include "cairn/joint.h"
#include "kernels/common/joints.h"
#include "src/describe/attributes.h"

namespace cairn {

/// The six axes of a joint, whatever it is called.
struct JointShape {
  kernels::JointCoordinates coordinates{kernels::JointCoordinates::kSwingTwist};
  std::array<JointAxis, kJointDofs> axes;
  bool cone{false};  ///< kSwingY is the angle between the x axes
};
JointShape shape_of(const JointKind& kind);

/// The axis for drives of a joint that has one of its own.
JointDof main_dof(const JointKind& kind);

/// Where a joint is described along one of its axes; null where it leaves no choice.
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

/// True for a joint whose two bodies don't touch.
bool keeps_apart(const Joint& joint);

/// Indices of the two bodies that a joint acts on; of a gear the second ones of the joints that it follows, which
/// `joint_at` gives by their indices.
std::array<std::uint32_t, 2> acted_on(const Joint& joint, const std::function<const Joint&(std::uint32_t)>& joint_at);

/// True where a joint holds nothing, since a body that it acts on, or that a gear follows, is switched off. Bodies by
/// their indices, of which `enabled` is asked.
bool is_off(const Joint& joint, const std::function<const Joint&(std::uint32_t)>& joint_at,
            const std::function<bool(std::uint32_t)>& enabled);

/// [1] Axes along which a joint does something, and those of them that it locks.
struct JointRowCount {
  std::uint32_t all{0}, locked{0};
};
JointRowCount rows_of(const kernels::JointModel& model);

/// All of the model but bodies, anchors, frames and what a gear follows, which hang on where the joint is.
kernels::JointModel model_of(const Joint& joint);

}  // namespace cairn
