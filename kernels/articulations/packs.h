#pragma once
// Four articulations of a kind at once, in the lanes of DoublePacks, as in a batch of one robot. For CPUs with AVX2.
// The code is that of one articulation (LanesT), so the bits are equal. If lanes branch differently, both branches are
// computed and each lane keeps its own. A pass that only some lanes need is done for all: it reads nothing that it
// writes, so the others get the same words again. A lane that needs a search is solved by the scalar code.

#include "kernels/articulations/respond.h"
#include "kernels/common/double_pack.h"

namespace cairn::kernels::articulate {

template <>
struct LaneT<DoublePack> {
  double* at;  ///< [1] word 0 of the first; the four of a word are side by side
  CAIRN_HD LaneT(const Lane& first) : at(first.at) {}
  CAIRN_HD DoublePack& operator[](std::uint32_t word) const {
    return *reinterpret_cast<DoublePack*>(at + std::size_t{word} * kDoubleLanes);
  }
  CAIRN_HD LaneT from(std::uint32_t word) const { return one(0).from(word); }
  template <class F>
  CAIRN_HD static DoublePack each(const F& f) {
    return {f(0u), f(1u), f(2u), f(3u)};
  }
  CAIRN_HD Lane one(std::uint32_t i) const { return {at + i, kDoubleLanes}; }
};
using PackLanes = LanesT<DoublePack>;
using PackInWorld = InWorldT<DoublePack>;

inline constexpr std::uint32_t kAllLanes = (1u << kDoubleLanes) - 1;

/// The values f(i) of all lanes.
template <template <class> class V, class F>
CAIRN_HD V<DoublePack> pack_of(const F& f) {
  const V<double> v[kDoubleLanes]{f(0u), f(1u), f(2u), f(3u)};
  return of_numbers<V, DoublePack>([&](std::uint32_t k) {
    return DoublePack{number(v[0], k), number(v[1], k), number(v[2], k), number(v[3], k)};
  });
}
template <template <class> class V>
CAIRN_HD V<double> lane_of(const V<DoublePack>& v, std::uint32_t i) {
  return of_numbers<V, double>([&](std::uint32_t k) { return number(v, k)[i]; });
}

/// [1] Max words of each of the four, in all arrays: 192 KiB of a thread's stack for the four. Articulations with more,
/// from some 40 nodes on, are solved one by one.
inline constexpr std::uint32_t kMaxPacked = 6144;

/// Copies of the data of four articulations of a kind, side by side.
class PackedKind {
 public:
  CAIRN_HD static bool fits(const Batch& b) { return b.couplings == 0 && b.lanes == 1 && words(b) <= kMaxPacked; }

  CAIRN_HD PackedKind(const Kind& of, std::uint32_t lane0, std::uint32_t lane1, std::uint32_t lane2,
                      std::uint32_t lane3)
      : kind_(of), of_(of), lanes_{lane0, lane1, lane2, lane3} {
    Batch& b = kind_.batch;
    b.count = b.lanes = kDoubleLanes;
    double* next = words_;
    each_in_lanes(b, [&](double* Batch::*array, std::uint32_t n) {
      b.*array = next;
      next += n * kDoubleLanes;
    });
    kind_.world = next;
  }
  PackedKind(const PackedKind&) = delete;
  PackedKind& operator=(const PackedKind&) = delete;

  CAIRN_HD const Kind& kind() const { return kind_; }
  /// Loads all inputs of a substep.
  CAIRN_HD void load() {
    bool starts = true;
    each_in_lanes(kind_.batch, [&](double* Batch::*array, std::uint32_t n) {
      starts = starts && array != &Batch::work;
      if (starts) load(array, n);
    });
  }
  /// Loads the results of the last passes.
  CAIRN_HD void load_work() {
    const Batch& b = kind_.batch;
    load(&Batch::work, work_words(b));
    each_node([&](const Words& own, double* here) { to_lanes(own.at, kNextPlace, here); });
  }
  /// Loads only their rates.
  CAIRN_HD void load_rates() {
    const Batch& b = kind_.batch;
    const Words own = at(of_.batch.work, work_words(b));
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const std::uint32_t word = kNodeWords * b.nodes + kDofWords * d + kRate;
      for (std::uint32_t i = 0; i < kDoubleLanes; ++i) b.work[word * kDoubleLanes + i] = own.at[i][word];
    }
  }
  /// Stores the inputs of rows, joints and the next passes. Neither pushes nor `given`, and responses only if needed.
  CAIRN_HD void store_work(bool responses) const {
    const Batch& b = kind_.batch;
    const std::uint32_t n = work_words(b);
    from_lanes(b.work, n, at(of_.batch.work, n).at);
    store_places(0, kNextPlace);
    store_places(kChange, responses ? kWorldNodeWords : kResponse);
  }
  /// Stores the coordinates of the substep's end, and the nodes' poses there.
  CAIRN_HD void store_next() const {
    const Batch& b = kind_.batch;
    from_lanes(b.q, b.coordinates, at(of_.next_q, b.coordinates).at);
    store_places(kNextPlace, kChange);
  }

 private:
  /// Words of each of the four.
  struct Words {
    double* at[kDoubleLanes];
  };

  CAIRN_HD static std::uint32_t words(const Batch& b) {
    std::uint32_t sum = world_words(b);
    each_in_lanes(b, [&](double* Batch::*, std::uint32_t n) { sum += n; });
    return sum;
  }
  CAIRN_HD void load(double* Batch::*array, std::uint32_t n) {
    to_lanes(at(of_.batch.*array, n).at, n, kind_.batch.*array);
  }
  CAIRN_HD Words at(double* array, std::uint32_t n) const {
    Words four{};
    for (std::uint32_t i = 0; i < kDoubleLanes; ++i) four.at[i] = array + std::size_t{lanes_[i]} * n;
    return four;
  }
  /// f(own, here) for each node's words in a World.
  template <class F>
  CAIRN_HD void each_node(const F& f) const {
    const Batch& b = kind_.batch;
    Words own = at(of_.world, world_words(b));
    for (std::uint32_t n = 0; n < b.nodes; ++n) {
      f(own, kind_.world + std::size_t{n} * kWorldNodeWords * kDoubleLanes);
      for (double*& to : own.at) to += kWorldNodeWords;
    }
  }
  /// Stores the words [begin, end) of those.
  CAIRN_HD void store_places(std::uint32_t begin, std::uint32_t end) const {
    each_node([&](Words own, const double* here) {
      for (double*& to : own.at) to += begin;
      from_lanes(here + std::size_t{begin} * kDoubleLanes, end - begin, own.at);
    });
  }

  Kind kind_;
  const Kind& of_;
  std::uint32_t lanes_[kDoubleLanes];
  alignas(64) double words_[std::size_t{kMaxPacked} * kDoubleLanes];
};

/// As Substep.
struct PackedSubstep {
  const PackLanes& l;
  double h;  ///< [s]

  CAIRN_HD_CALL void solve() const {
    std::uint32_t alone = 0;
    for (std::uint32_t d = 0; d < l.b.dofs; ++d) begin(d);
    move(Alone{}, l, l.v());
    alone |= settle(kAllLanes).left;
    for (std::uint32_t d = 0; d < l.b.dofs; ++d) l.dof(d)[kFirst] = l.dof(d)[kRate];
    DoublePack first(0.0), differ(0.0);
    std::uint32_t goes_on = kAllLanes & ~alone;
    for (int i = 0; i < kMiddles && goes_on != 0; ++i) {
      const DoublePack::Mask on = double_mask(goes_on);
      for (std::uint32_t d = 0; d < l.b.dofs; ++d) {
        DoublePack& middle = l.given()[d];
        middle = select(on, DoublePack(0.5) * (l.v()[d] + l.dof(d)[kRate]), middle);
      }
      move(Alone{}, l, l.given());
      alone |= settle(goes_on).left;
      const DoublePack now = difference();
      if (i == 0) first = now;
      differ = select(on, now, differ);
      goes_on &= ~lanes_of(now <= DoublePack(kSame) || !(now <= first)) & ~alone;
    }
    // lanes that turn too fast
    alone |= lanes_of(!(differ <= DoublePack(kFollowed)));
    each_set(alone, [&](std::uint32_t i) {
      const Lanes one{l.b, i};
      Substep{l.b, h}.solve(Alone{}, one, DofModes{one});
    });
  }

  /// Lanes, by bits.
  struct Settled {
    std::uint32_t changed;  ///< whose modes have changed
    std::uint32_t left;     ///< those that still need a search
  };
  /// Passes until the modes of these lanes are settled.
  CAIRN_HD_CALL Settled settle(std::uint32_t lanes) const {
    pass();
    lanes &= unsettled(lanes);
    const std::uint32_t changed = lanes;
    for (std::uint32_t i = 1; i < kPasses && lanes != 0; ++i) {
      const DoublePack::Mask on = double_mask(lanes);
      for (std::uint32_t d = 0; d < l.b.dofs; ++d) {
        DoublePack& mode = l.dof(d)[kMode];
        mode = select(on, number_of(next_piece(l, d, kRate, kReaction, h)), mode);
      }
      pass();
      lanes = unsettled(lanes);
    }
    return {changed, lanes};
  }

 private:
  CAIRN_HD void begin(std::uint32_t d) const {
    const LaneT<DoublePack> dof = l.dof(d);
    dof[kCalm] = DoublePack(0.0);
    const auto bounded = l.bounded();
    const DoublePack none = number_of(ModeT<DoublePack>{0.0, 0.0, 0.0});
    dof[kMode] = any(bounded) ? select(bounded, number_of(law_of(l, d, h).piece_at(l.v()[d])), none) : none;
  }
  CAIRN_HD void pass() const {
    load_rates(Alone{}, l, h);
    gather(Alone{}, l, DofModesT<DoublePack>{l});
    scatter(Alone{}, l, DofModesT<DoublePack>{l});
    take_rates(Alone{}, l, h);
  }
  CAIRN_HD std::uint32_t unsettled(std::uint32_t lanes) const {
    lanes &= lanes_of(l.bounded());
    std::uint32_t some = 0;
    for (std::uint32_t d = 0; d < l.b.dofs && some != lanes; ++d) {
      const ModeT<DoublePack> mode = DofModesT<DoublePack>{l}.mode(d);
      some |= lanes & ~lanes_of(next_piece(l, d, kRate, kReaction, h) == mode);
    }
    return some;
  }
  CAIRN_HD DoublePack difference() const {
    DoublePack off(0.0), all(0.0);
    for (std::uint32_t n = 0; n < l.b.nodes; ++n) {
      turning_off(l, l.b.node[n], [&](DoublePack a, DoublePack b) { off = fma(a, b, off); });
      turning_energy(l, l.b.node[n], [&](DoublePack a, DoublePack b) { all = fma(a, b, all); });
    }
    return select(off == DoublePack(0.0), off, sqrt(off / all));
  }
};

}  // namespace cairn::kernels::articulate
