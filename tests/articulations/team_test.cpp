// Who works on an articulation changes no bit: a team that takes the items of each call in another order than a thread
// by itself, as lanes of a warp may, leaves the same words.

#include "kernels/articulations/respond.h"
#include "kernels/articulations/substep.h"
#include "src/articulations/compile_articulation.h"
#include "tests/articulations/models.h"

namespace cairn::articulations_test::team {
namespace {

using namespace kernels::articulate;
using kernels::Alone;
using kernels::Levels;
using kernels::Slice;

/// The last item first, columns by themselves, and depth by depth.
struct Backwards : Alone {
  template <class F>
  void each(std::uint32_t n, const F& f) const {
    while (n-- > 0) f(n);
  }
  template <std::uint32_t kCount, class F>
  void each_sliced(std::uint32_t n, const F& f) const {
    each(n * kCount, [&](std::uint32_t i) { f(i / kCount, Slice<1>{i % kCount}); });
  }
  template <class F>
  void down(const Levels& tree, const F& f) const {
    for (std::uint32_t d = 0; d < tree.depths; ++d) depth(tree, d, f);
  }
  template <std::uint32_t kCount, class F>
  void down_sliced(const Levels& tree, const F& f) const {
    down(tree,
         [&](std::uint32_t n) { each_sliced<kCount>(1, [&](std::uint32_t, const Slice<1>& slice) { f(n, slice); }); });
  }
  template <class F>
  void up(const Levels& tree, const F& f) const {
    for (std::uint32_t d = tree.depths; d-- > 0;) depth(tree, d, f);
  }

 private:
  template <class F>
  void depth(const Levels& tree, std::uint32_t d, const F& f) const {
    each(tree.begin[d + 1] - tree.begin[d], [&](std::uint32_t i) { f(tree.node[tree.begin[d] + i]); });
  }
};

/// One articulation in the host's memory, as a World has it.
class Lone {
 public:
  Lone(const Articulation& of, std::uint64_t seed) : made_(compile(of)), batch_(shared_batch(made_)) {
    batch_.gravity = of.gravity;
    batch_.count = batch_.lanes = 1;
    batch_.joint = made_.joints.data();
    batch_.build = made_.build.data();
    Random random(seed);
    const auto take = [&](double*& to, std::uint32_t n, double most) {
      words_.push_back(std::vector<double>(n));
      for (double& x : words_.back()) x = random.within(-most, most);
      to = words_.back().data();
    };
    const std::uint32_t n = batch_.nodes, dofs = batch_.dofs;
    take(batch_.q, batch_.coordinates, 1);
    for (const std::uint32_t at : made_.quaternions) EXPECT_TRUE(make_unit({batch_.q + at, 1}));
    take(batch_.v, dofs, 3);
    take(batch_.force, dofs, 5);
    take(batch_.target, batch_.coordinates, 1);
    for (const std::uint32_t at : made_.quaternions) EXPECT_TRUE(make_unit({batch_.target + at, 1}));
    take(batch_.target_rate, dofs, 1);
    take(batch_.given, dofs, 0);
    take(batch_.push, 6 * n, 10);
    take(batch_.work, work_words(batch_), 0);
    take(kind_.world, world_words(batch_), 0);
    kind_.batch = batch_;
  }

  /// A step of a World without its rows.
  template <class Team>
  void step(const Team& team) {
    const Lanes l{batch_, 0};
    const Substep substep{batch_, 1.0 / 240};
    substep.solve(team, l, DofModes{l});
    EXPECT_TRUE(substep.sound(team, l));
    kernels::Links links;
    links.kind = &kind_;
    const kernels::articulate::InWorld in(links, {});
    respond_coupled(team, in);
    respond(team, in);
    clear_impulses(in);
    lead_in(in, batch_.nodes - 1, {{0.1, 0.2, -0.3}, {3, -2, 1}});
    lead_out(in);
    substep.begin_advance(team, l);
    team.down(batch_.levels(), [&](std::uint32_t n) { substep.advance(batch_.node[n], l); });
    team.each(batch_.dofs, [&](std::uint32_t d) { l.v()[d] = l.dof(d)[kRate]; });
  }
  const std::vector<std::vector<double>>& words() const { return words_; }
  const Batch& batch() const { return batch_; }

 private:
  CompiledArticulation made_;
  Batch batch_;
  kernels::articulate::Kind kind_{};
  std::vector<std::vector<double>> words_;
};

void expect_alike(const Articulation& of, std::uint64_t seed) {
  Lone alone(of, seed), together(of, seed);
  for (int step = 0; step < 40; ++step) {
    alone.step(Alone{});
    together.step(Backwards{});
    ASSERT_EQ(alone.words(), together.words()) << of.name << " " << seed << ", step " << step;
  }
}

TEST(ArticulationTeam, order_of_items_changes_no_bit) {
  for (const bool floating : {false, true}) {
    expect_alike(busy(floating), 1);
    expect_alike(coupled(floating), 2);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      expect_alike(random_tree(1 + static_cast<std::uint32_t>(seed) * 2, seed, floating), seed);
    }
  }
}

TEST(ArticulationTeam, depths_hold_each_node_once_behind_its_parent) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const CompiledArticulation made = compile(random_tree(1 + static_cast<std::uint32_t>(seed), seed, seed % 2 == 0));
    const Levels tree = shared_batch(made).levels();
    std::vector<std::uint32_t> depth(tree.nodes, ~0u), children(tree.nodes, 0);
    ASSERT_EQ(tree.begin[0], 0u);
    ASSERT_EQ(tree.begin[tree.depths], tree.nodes);
    for (std::uint32_t d = 0; d < tree.depths; ++d) {
      for (std::uint32_t i = tree.begin[d]; i < tree.begin[d + 1]; ++i) {
        const std::uint32_t n = tree.node[i], parent = made.nodes[n].parent;
        ASSERT_EQ(depth[n], ~0u);
        depth[n] = d;
        ASSERT_EQ(parent == kernels::kNone ? 0u : depth[parent] + 1, d);
      }
    }
    // children last first
    for (std::uint32_t n = 0; n < tree.nodes; ++n) {
      std::uint32_t last = ~0u;
      for (std::uint32_t c = made.nodes[n].last_child; c != kernels::kNone; c = made.nodes[c].sibling) {
        EXPECT_EQ(made.nodes[c].parent, n);
        EXPECT_LT(c, last);
        last = c;
        ++children[n];
      }
    }
    for (std::uint32_t n = 0; n < tree.nodes; ++n) {
      if (made.nodes[n].parent != kernels::kNone) --children[made.nodes[n].parent];
    }
    EXPECT_EQ(children, std::vector<std::uint32_t>(tree.nodes, 0));
  }
}

}  // namespace
}  // namespace cairn::articulations_test::team
