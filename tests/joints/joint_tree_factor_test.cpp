// Trees of joints, solved by elimination, against all of their rows at once in a longer float: the same impulses and
// velocities; and a factor of which only a part was made again against all of it: the same bits.

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/joints/joint_law.h"
#include "kernels/joints/joint_tree.h"
#include "tests/support/random.h"

namespace cairn::kernels::joints_test {
namespace {

using testing_support::Random;
using Long = long double;
using Six = std::array<Long, kNodeAxes>;

struct Tree {
  std::vector<JointNode> node;
  std::vector<JointRow> row;
  JointTree tree{};

  TreeSolver<Alone> solver() { return {node.data(), row.data(), tree, {}}; }
  void factor() { solver().factor_bodies(); }
  void solve() {
    const TreeSolver<Alone> by = solver();
    by.clear();
    const auto held = [](const JointRow& r) { return r.piece.held != 0; };
    for (JointRow& r : row) {
      if (held(r)) r.change = r.piece.goal;
    }
    by.push_all(held, [](const JointRow& r) { return r.change; });
    by.lead();
  }
};

/// Of length 1.
Vec3d way(Random& random) {
  for (;;) {
    const Vec3d d = random.vec(1);
    if (length(d) > 0.1) return (1.0 / length(d)) * d;
  }
}

/// Bodies of 1 cm to 1 m whose masses differ by up to 100, on balls, hinges, welds and single rows with arms of up to
/// 5 m. Some rows are soft, some held at an impulse.
Tree drawn(std::uint64_t seed) {
  Random random(seed);
  Tree t;
  const std::uint32_t count = 2 + random.below(20);
  const bool chain = random.below(2) == 0, small = random.below(2) == 0;
  t.node.resize(count);
  std::vector<double> inertia(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double mass = std::pow(10.0, random.within(-1, 1)),
                 size = small ? 0.01 : std::pow(10.0, random.within(-2, 0));
    inertia[i] = 0.1 * mass * size * size;
    JointNode& n = t.node[i];
    n.body = n.joint = n.child = i;
    n.parent = i + 1 == count ? kNone : (chain ? i + 1 : i + 1 + random.below(count - 1 - i));
    n.is_b = 1;
    n.mass = static_cast<float>(mass);
    n.inertia = {1.02f, 1, 0.97f, 0.03f, 0, -0.02f};
    n.stale = 1;
  }
  const bool floats = random.below(4) == 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    JointNode& n = t.node[i];
    n.first = static_cast<std::uint32_t>(t.row.size());
    n.rows = n.parent == kNone && floats ? 0 : std::array{3u, 5u, 6u, 1u}[random.below(4)];
    const Vec3d x = way(random), y = way(random), arm = (small ? 5.0 : random.within(0, 5)) * way(random);
    const Vec3d axes[3] = {x, (1 / length(cross(x, y))) * cross(x, y),
                           cross(x, (1 / length(cross(x, y))) * cross(x, y))};
    const double root_b = 1 / std::sqrt(inertia[i]), root_a = n.parent == kNone ? 0 : 1 / std::sqrt(inertia[n.parent]);
    for (std::uint32_t r = 0; r < n.rows; ++r) {
      JointRow row{};
      const Vec3d& axis = axes[r % 3];
      const bool shifts = r < 3;
      row.linear_b = shifts ? narrow(axis) : Vec3{0, 0, 0};
      row.linear_a = n.parent == kNone ? Vec3{0, 0, 0} : -row.linear_b;
      row.angular_b = narrow(root_b * (shifts ? cross(arm, axis) : axis));
      row.angular_a = narrow(-root_a * (shifts ? cross(0.5 * arm, axis) : axis));
      row.speed = random.within(-1, 1);
      row.piece.softness = random.below(8) == 0 ? std::pow(10.0, random.within(-6, 2)) : 0.0;
      if (random.below(8) == 0) row.piece = {0.0, random.within(-1, 1), 1, 0.0, 0.0};
      t.row.push_back(row);
    }
  }
  t.tree.links = t.tree.loops = t.tree.end = count;
  return t;
}

/// All rows that aren't held at once.
struct Dense {
  const Tree& t;
  std::vector<std::uint32_t> node_of, row;  ///< [1] of each unknown
  std::vector<Long> impulse;                ///< [N s]
  std::vector<Six> change;                  ///< (nodes)

  explicit Dense(const Tree& tree) : t(tree), change(tree.node.size(), Six{}) {
    std::vector<Six> push(t.node.size(), Six{});
    for (std::uint32_t i = 0; i < t.node.size(); ++i) {
      for (std::uint32_t r = t.node[i].first; r < t.node[i].first + t.node[i].rows; ++r) {
        if (t.row[r].piece.held != 0) {
          add(push, i, r, t.row[r].piece.goal);
        } else {
          node_of.push_back(i);
          row.push_back(r);
        }
      }
    }
    const std::vector<Six> given = moved(push);
    const std::size_t n = row.size();
    std::vector<Long> a(n * n);
    impulse.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<Six> one(t.node.size(), Six{});
      add(one, node_of[j], row[j], 1);
      const std::vector<Six> response = moved(one);
      for (std::size_t i = 0; i < n; ++i) a[i * n + j] = along(i, response);
      a[j * n + j] += Long{t.row[row[j]].piece.softness};
      impulse[j] = Long{t.row[row[j]].piece.goal} - Long{t.row[row[j]].speed} - along(j, given);
    }
    // Cholesky
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        Long x = a[i * n + j];
        for (std::size_t k = 0; k < j; ++k) x -= a[i * n + k] * a[j * n + k];
        a[i * n + j] = i == j ? std::sqrt(x) : x / a[j * n + j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) impulse[i] -= a[i * n + k] * impulse[k];
      impulse[i] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) impulse[i] -= a[k * n + i] * impulse[k];
      impulse[i] /= a[i * n + i];
    }
    for (std::size_t j = 0; j < n; ++j) add(push, node_of[j], row[j], impulse[j]);
    change = moved(push);
  }

  void add(std::vector<Six>& push, std::uint32_t i, std::uint32_t r, Long l) const {
    const JointNode& n = t.node[i];
    const JointHalf child = child_of(n, t.row[r]), parent = parent_of(n, t.row[r]);
    for (std::uint32_t k = 0; k < kNodeAxes; ++k) {
      push[i][k] += l * Long{child.j[k]};
      if (n.parent != kNone) push[n.parent][k] += l * Long{parent.j[k]};
    }
  }
  Long along(std::size_t j, const std::vector<Six>& of) const {
    const JointNode& n = t.node[node_of[j]];
    const JointHalf child = child_of(n, t.row[row[j]]), parent = parent_of(n, t.row[row[j]]);
    Long x = 0;
    for (std::uint32_t k = 0; k < kNodeAxes; ++k) {
      x += Long{child.j[k]} * of[node_of[j]][k];
      if (n.parent != kNone) x += Long{parent.j[k]} * of[n.parent][k];
    }
    return x;
  }
  /// M^-1 times pushes; inertias by Cramer's rule.
  std::vector<Six> moved(const std::vector<Six>& push) const {
    std::vector<Six> of(push.size());
    for (std::size_t i = 0; i < push.size(); ++i) {
      const JointNode& n = t.node[i];
      for (std::uint32_t k = 0; k < 3; ++k) of[i][k] = push[i][k] / Long{n.mass};
      const Long xx = n.inertia.xx, yy = n.inertia.yy, zz = n.inertia.zz, xy = n.inertia.xy, xz = n.inertia.xz,
                 yz = n.inertia.yz;
      const Long cofactor[3][3] = {{yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy},
                                   {xz * yz - xy * zz, xx * zz - xz * xz, xy * xz - xx * yz},
                                   {xy * yz - xz * yy, xy * xz - xx * yz, xx * yy - xy * xy}};
      const Long determinant = xx * cofactor[0][0] + xy * cofactor[0][1] + xz * cofactor[0][2];
      for (std::uint32_t k = 0; k < 3; ++k) {
        of[i][3 + k] = 0;
        for (std::uint32_t q = 0; q < 3; ++q) of[i][3 + k] += cofactor[k][q] / determinant * push[i][3 + q];
      }
    }
    return of;
  }
};

// impulses are kept as floats, so a solve may lose no more than their rounding
TEST(JointTreeFactor, gives_the_impulses_and_velocities_of_all_rows_at_once) {
  constexpr Long kRounding = 0x1p-24L;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Tree t = drawn(seed);
    t.factor();
    t.solve();
    const Dense dense(t);
    Long most = 0, fastest = 0;
    for (const Long l : dense.impulse) most = std::max(most, std::abs(l));
    for (const Six& of : dense.change) {
      for (const Long x : of) fastest = std::max(fastest, std::abs(x));
    }
    for (std::size_t j = 0; j < dense.row.size(); ++j) {
      ASSERT_LE(std::abs(Long{t.row[dense.row[j]].change} - dense.impulse[j]), kRounding * most)
          << seed << ", row " << j;
    }
    for (std::size_t i = 0; i < t.node.size(); ++i) {
      for (std::uint32_t k = 0; k < kNodeAxes; ++k) {
        ASSERT_LE(std::abs(Long{t.node[i].change[k]} - dense.change[i][k]), kRounding * fastest)
            << seed << ", node " << i;
      }
    }
  }
}

TEST(JointTreeFactor, of_which_a_part_was_made_again_is_the_whole_one) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Tree part = drawn(seed);
    if (part.row.empty()) continue;
    part.factor();
    Random random(seed);
    for (int round = 0; round < 6; ++round) {
      for (std::uint32_t k = random.below(4); k > 0; --k) {
        JointRow& row = part.row[random.below(part.row.size())];
        JointPiece piece = row.piece;
        piece.held ^= random.below(2);
        piece.softness = random.below(2) == 0 ? 0.0 : 0.1;
        (void)take_piece(row, piece);
      }
      Tree whole = part;
      for (JointNode& n : whole.node) n.stale = 1;
      for (Tree* const t : {&part, &whole}) {
        t->factor();
        t->solve();
      }
      for (std::size_t i = 0; i < part.node.size(); ++i) {
        const JointNode &a = part.node[i], &b = whole.node[i];
        ASSERT_EQ(a.stale, 0u);
        ASSERT_EQ(a.picked, b.picked);
        ASSERT_EQ(std::memcmp(a.body_factor, b.body_factor, sizeof a.body_factor), 0) << seed << ", node " << i;
        ASSERT_EQ(std::memcmp(a.change, b.change, sizeof a.change), 0) << seed << ", node " << i;
      }
      for (std::size_t r = 0; r < part.row.size(); ++r) {
        ASSERT_EQ(part.row[r].stale, 0u);
        ASSERT_EQ(part.row[r].change, whole.row[r].change) << seed << ", row " << r;
      }
    }
  }
}

// a joint that closes a loop has no factor of its own
TEST(JointTreeFactor, leaves_no_loop_stale) {
  Tree t = drawn(1);
  JointNode loop{};
  loop.body = kNone;
  loop.child = 0;
  loop.parent = kNone;
  loop.first = static_cast<std::uint32_t>(t.row.size());
  loop.rows = 1;
  JointRow row{};
  row.stale = 1;
  t.row.push_back(row);
  t.node.push_back(loop);
  t.tree.end += 1;
  t.factor();
  EXPECT_EQ(t.node.back().stale, 0u);
  EXPECT_EQ(t.row.back().stale, 0u);
}

}  // namespace
}  // namespace cairn::kernels::joints_test
