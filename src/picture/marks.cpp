#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <variant>

#include "src/picture/picture_shapes.h"

namespace cairn::picture {
namespace {

constexpr double kBall = 0.10, kBar = 0.055, kLine = 0.03;  // [1] radii over the smaller body's
constexpr double kBarLength = 0.45;                         // [1] half of a bar's, the same
constexpr Vec3 kBallColor{0.95f, 0.55f, 0.05f}, kBarColor{0.10f, 0.45f, 0.95f}, kLineColor{0.95f, 0.90f, 0.75f};

bool finite(Double3 v) { return std::isfinite(v.x + v.y + v.z); }

/// An end of a joint in the world.
struct End {
  Double3 anchor, body;           ///< [m]
  std::array<Double3, 3> axis{};  ///< [1] unit
};

struct Marks {
  std::vector<kernels::PictureShape>& shapes;
  double size;
  Double3 origin;

  void ball(Double3 at) const {
    if (finite(at)) shapes.push_back(picture::ball(at - origin, kBall * size, kBallColor));
  }
  void between(Double3 from, Double3 to, double radius, Vec3 color) const {
    const double length = extent_of(to - from);
    // a line as short as it is thick isn't drawn
    if (std::isfinite(length) && length >= radius) shapes.push_back(tube(from - origin, to - origin, radius, color));
  }
  void line(Double3 from, Double3 to) const { between(from, to, kLine * size, kLineColor); }
  void bar(Double3 at, Double3 along) const {
    const Double3 half = (kBarLength * size) * along;
    between(at - half, at + half, kBar * size, kBarColor);
  }
};

End end_of(std::uint32_t body, const JointFrame& frame, std::span<const BodyState> states) {
  // place the frame like a shape of the body, to turn its axes
  BodyState at;
  if (body != kWorldBody) at = states[body];
  Shape shape;
  shape.orientation = frame.orientation;
  const quality::PlacedShape turned = quality::place(shape, at);
  shape.orientation = {};
  const quality::PlacedShape whole = quality::place(shape, at);
  End end;
  end.body = wide(at.position);
  end.axis = turned.axis;
  const Vec3d p = frame.position;
  end.anchor = end.body + p.x * whole.axis[0] + p.y * whole.axis[1] + p.z * whole.axis[2];
  return end;
}

struct MarkKind {
  const Marks& marks;
  const End &a, &b;

  void operator()(const FixedJoint&) const {}
  void operator()(const BallJoint&) const {}
  void operator()(const GearJoint&) const {}
  void operator()(const ParallelJoint&) const {}
  void operator()(const GeneralJoint&) const {
    for (const Double3& axis : a.axis) marks.bar(b.anchor, axis);
  }
  void operator()(const UniversalJoint&) const { two(); }
  void operator()(const WheelJoint&) const { two(); }
  void operator()(const DistanceJoint&) const { marks.line(a.anchor, b.anchor); }
  void operator()(const PulleyJoint& pulley) const {
    const Double3 over_a = wide(pulley.ground_a), over_b = wide(pulley.ground_b);
    marks.line(a.anchor, over_a);
    marks.line(over_a, over_b);
    marks.line(over_b, b.anchor);
    marks.ball(over_a);
    marks.ball(over_b);
  }
  template <class Other>
  void operator()(const Other&) const {
    marks.bar(b.anchor, a.axis[0]);
  }

 private:
  void two() const {
    marks.bar(b.anchor, a.axis[0]);
    marks.bar(b.anchor, b.axis[1]);
  }
};

}  // namespace

std::vector<kernels::PictureShape> marks_of(std::span<const Joint> joints, std::span<const BodyState> states,
                                            const MarkSizes& sizes, Double3 origin) {
  std::vector<kernels::PictureShape> shapes;
  // the smaller of the two bodies, so that marks of a hand on a ship have the hand's size
  const auto size_of = [&](const Joint& joint) {
    double size = std::numeric_limits<double>::infinity();
    for (const std::uint32_t body : {joint.body_a, joint.body_b}) {
      if (body != kWorldBody && body < sizes.bodies.size() && sizes.bodies[body] > 0)
        size = std::min(size, sizes.bodies[body]);
    }
    return std::max(std::isfinite(size) ? size : sizes.usual, sizes.min_visible);
  };
  for (const Joint& joint : joints) {
    const Marks marks{shapes, size_of(joint), origin};
    if (std::holds_alternative<GearJoint>(joint.kind)) continue;
    const End a = end_of(joint.body_a, joint.frame_a, states), b = end_of(joint.body_b, joint.frame_b, states);
    if (!finite(a.anchor) || !finite(b.anchor)) continue;
    std::visit(MarkKind{marks, a, b}, joint.kind);
    for (const auto& [end, body] : {std::pair{&a, joint.body_a}, std::pair{&b, joint.body_b}}) {
      marks.ball(end->anchor);
      if (body != kWorldBody) marks.line(end->body, end->anchor);
    }
  }
  return shapes;
}

}  // namespace cairn::picture
