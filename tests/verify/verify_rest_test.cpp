// What lies still stays where it lies.

#include <random>

#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class Rest : public EachSolver {};
CAIRN_VERIFY_EACH(Rest);

TEST_P(Rest, boxes_that_fell_onto_any_face_do_not_walk) {
  Lab lab = on_floor(GetParam(), 0.6);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::uint32_t> boxes;
  for (int i = 0; i < 36; ++i) {
    const ref::Quat q = ref::normalized({normal(random), normal(random), normal(random), normal(random)});
    const double e = 0.4 + 0.005 * i;
    boxes.push_back(
        lab.add(lab.make(Box{narrow(ref::Vec3{e, 0.9 * e, 0.8 * e})}, {3.0 * (i % 6) - 9, 3.0 * (i / 6) - 9, 1.5}, q)));
  }
  lab.run(20);
  std::vector<ref::Vec3> start;
  for (const std::uint32_t box : boxes) start.push_back(lab.x(box));
  lab.run(10);
  // the soak's bar: 3 cm in a million steps
  const double allowed = 0.03 / 1e6 * 600;
  for (std::size_t i = 0; i < boxes.size(); ++i) EXPECT_LE(length(lab.x(boxes[i]) - start[i]), allowed) << "box " << i;
}

}  // namespace
}  // namespace cairn::verify
