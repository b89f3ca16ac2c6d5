// Articulations of a World, four of a kind at a time.

#include "kernels/articulations/in_world.h"

#if CAIRN_BODY_PACKS

#include <cstring>

#include "kernels/articulations/packs.h"
#include "kernels/common/items.h"

namespace cairn::kernels {
namespace {

namespace art = articulate;
using art::kAllLanes;
using art::lane_of;
using art::pack_of;
using art::PackedKind;
using art::PackInWorld;
using art::PackLanes;

// otherwise they would be treated one by one, with the same bits
static_assert(TakesPacks<EachOf<ArticulationPredict>> && TakesPacks<EachOf<ArticulationSettle>> &&
              TakesPacks<EachOf<ArticulationAdvance>>);

/// Four articulations of a World.
struct Four {
  const ArticulationPass& pass;
  const std::uint32_t* item;  ///< [1] (4) index

  const Articulated& at(std::uint32_t of) const { return pass.links.articulated[item[of]]; }

  /// Whether they are alike and all take part.
  bool may_pack() const {
    if (!PackedKind::fits(kind().batch)) return false;
    for (std::uint32_t of = 0; of < kDoubleLanes; ++of) {
      if (at(of).kind != at(0).kind || !pass.goes(at(of)) || !has_links_of_first(of)) return false;
      const Vec3 g = pass.worlds.gravity[at(of).world], first = gravity();
      if (std::memcmp(&g, &first, sizeof g) != 0) return false;
    }
    return true;
  }
  /// Which links are bodies isn't part of a kind.
  bool has_links_of_first(std::uint32_t of) const {
    if (at(of).link_end - at(of).link_begin != links()) return false;
    for (std::uint32_t i = 0; i < links(); ++i) {
      if (link(i, of).link != link(i, 0).link) return false;
    }
    return true;
  }
  std::uint32_t links() const { return at(0).link_end - at(0).link_begin; }
  const art::Kind& kind() const { return pass.links.kind[at(0).kind]; }
  Vec3 gravity() const { return pass.worlds.gravity[at(0).world]; }
  const LinkBody& link(std::uint32_t i, std::uint32_t of) const { return pass.links.link[at(of).link_begin + i]; }
  LinkState& state(std::uint32_t i, std::uint32_t of) const { return pass.links.state[at(of).link_begin + i]; }
  std::uint32_t node(std::uint32_t i) const { return link(i, 0).node; }
  Vec3T<DoublePack> centre(std::uint32_t i) const {
    return pack_of<Vec3T>([&](std::uint32_t of) { return link(i, of).centre; });
  }

  /// ArticulationPass::load
  void load(const PackInWorld& in) const {
    const PackLanes l = in.lanes();
    for (std::uint32_t n = 0; n < in.b.nodes; ++n) store(l.push(n), art::spread<DoublePack>(art::Force{}));
    for (std::uint32_t i = 0; i < links(); ++i) {
      const auto push_on = [&](std::uint32_t of) { return pass.push_on(at(of).link_begin + i); };
      const art::ForceT<DoublePack> push = pack_of<art::ForceT>(push_on);
      const auto to = l.push(node(i));
      const auto place = in.place(node(i));
      store(to, load_as<art::ForceT>(to) + on_node(place, centre(i), push.f, push.n));
    }
  }

  /// ArticulationPass::show, with responses of these lanes if any row may push; returns whether one may.
  bool show(const PackInWorld& in, std::uint32_t lanes) const {
    put_motions(Alone{}, in);
    std::uint32_t pushed = 0;
    each_set(lanes, [&](std::uint32_t of) { pushed |= (pass.may_be_pushed(at(of)) ? 1u : 0u) << of; });
    for (std::uint32_t i = 0; i < links(); ++i) {
      const auto place = in.place(node(i));
      const auto m = of_link(place, centre(i), in.change(node(i)));
      each_set(kAllLanes, [&](std::uint32_t of) { pass.put_motion(link(i, of), lane_of(m, of)); });
    }
    if (pushed == 0) return false;
    respond(Alone{}, in);
    for (std::uint32_t i = 0; i < links(); ++i) show_response(in, i, pushed);
    return true;
  }
  void show_response(const PackInWorld& in, std::uint32_t i, std::uint32_t pushed) const {
    const auto place = in.place(node(i));
    const auto root = [&](std::uint32_t of) { return pass.bodies.sqrt_inertia[link(i, of).body]; };
    for (std::uint32_t c = 0; c < 6; ++c) {
      const art::Force unit = art::unit_force((c + 3) % 6);
      const auto moment = pack_of<Vec3T>([&](std::uint32_t of) { return widen(root(of) * narrow(unit.n)); });
      const auto given = on_node(place, centre(i), art::spread<DoublePack>(unit.f), moment);
      const auto m = of_link(place, centre(i), tree_response(in, node(i), given));
      each_set(pushed,
               [&](std::uint32_t of) { art::put_column(state(i, of).response + 6 * c, lane_of(m, of), root(of)); });
    }
  }

  /// ArticulationAdvance::work, of a link.
  void put_way(const ArticulationAdvance& advance, const PackInWorld& in, std::uint32_t i) const {
    const auto place = load_as<art::TransformT>(in.node(node(i)).from(art::kNextPlace));
    const auto axes = pack_of<QuatT>([&](std::uint32_t of) { return link(i, of).axes; });
    const auto x = pack_of<Vec3T>([&](std::uint32_t of) { return advance.start_of(link(i, of)); });
    const auto start = pack_of<QuatT>([&](std::uint32_t of) { return widen(pass.bodies.q[link(i, of).body]); });
    const auto way = way_of(place, centre(i), axes, x, start);
    each_set(kAllLanes, [&](std::uint32_t of) {
      advance.put_way(link(i, of), {lane_of(way.shift, of), lane_of(way.q, of), lane_of(way.turn, of)});
    });
  }
};

/// f(four, packed) for both fours of eight articulations that can be packed; returns the bits of those where f is true.
template <class F>
std::uint32_t in_fours(const ArticulationPass& pass, const std::uint32_t* eight, const F& f) {
  std::uint32_t done = 0;
  for (std::uint32_t i = 0; i < kPackItems; i += kDoubleLanes) {
    const Four four{pass, eight + i};
    if (!four.may_pack()) continue;
    PackedKind packed(four.kind(), four.at(0).lane, four.at(1).lane, four.at(2).lane, four.at(3).lane);
    if (f(four, packed)) done |= kAllLanes << i;
  }
  return done;
}

}  // namespace

std::uint32_t ArticulationPredict::pack_list(const std::uint32_t* eight) const {
  return in_fours(*this, eight, [&](const Four& four, PackedKind& packed) {
    for (std::uint32_t of = 0; of < kDoubleLanes; ++of) {
      const art::InWorld in = in_world(four.at(of));
      begin(Alone{}, in, in.lanes());
      for (std::uint32_t i = 0; i < four.links(); ++i) clear_pushes(four.state(i, of), carries);
    }
    packed.load();
    const PackInWorld in(packed.kind(), 0, four.gravity());
    const PackLanes l = in.lanes();
    move(Alone{}, l, l.v());
    put_places(Alone{}, in, art::kPlace);
    four.load(in);
    const double h = static_cast<double>(k.h);
    art::PackedSubstep{l, h}.solve();
    for (std::uint32_t of = 0; of < kDoubleLanes; ++of) {
      const Articulated& at = four.at(of);
      if (art::Substep{in.b, h}.sound(Alone{}, art::Lanes{in.b, of})) continue;
      raise(worlds, state, at.world, links.link[at.link_begin].body, kStatusNonFinite);
    }
    packed.store_work(four.show(in, kAllLanes));
    return true;
  });
}

std::uint32_t ArticulationSettle::pack_list(const std::uint32_t* eight) const {
  return in_fours(*this, eight, [&](const Four& four, PackedKind& packed) {
    for (std::uint32_t of = 0; of < kDoubleLanes; ++of) {
      if (!in_world(four.at(of)).lanes().bounded()) return false;
    }
    packed.load();
    packed.load_work();
    const PackInWorld in(packed.kind(), 0, four.gravity());
    const PackLanes l = in.lanes();
    four.load(in);
    const double h = static_cast<double>(k.h);
    const auto settled = art::PackedSubstep{l, h}.settle(kAllLanes);
    each_set(settled.left, [&](std::uint32_t of) {
      const art::InWorld own = in_world(four.at(of));
      const art::Lanes one{in.b, of};
      for (std::uint32_t d = 0; d < in.b.dofs; ++d) one.dof(d)[art::kMode] = own.lanes().dof(d)[art::kMode];
      art::Substep{in.b, h}.settle(Alone{}, one, art::DofModes{one});
    });
    std::uint32_t renewed = 0;
    for (std::uint32_t of = 0; of < kDoubleLanes; ++of) {
      if (keeps_responses(four.at(of), (settled.changed >> of & 1u) == 0)) continue;
      renewed |= 1u << of;
      for (std::uint32_t i = 0; i < four.links(); ++i) four.state(i, of).renewed = 1;
    }
    packed.store_work(four.show(in, renewed));
    return true;
  });
}

std::uint32_t ArticulationAdvance::pack_list(const std::uint32_t* eight) const {
  return in_fours(*this, eight, [&](const Four& four, PackedKind& packed) {
    packed.load();
    packed.load_rates();
    const PackInWorld in(packed.kind(), 0, four.gravity());
    const PackLanes l = in.lanes();
    for (std::uint32_t n = 0; n < in.b.nodes; ++n) {
      const art::Node& node = in.b.node[n];
      art::Substep{in.b, static_cast<double>(k.h)}.advance(node, l);
      put_place(in, n, transform_of(l, n, l.q().from(node.coordinate)), art::kNextPlace);
    }
    for (std::uint32_t i = 0; i < four.links(); ++i) four.put_way(*this, in, i);
    packed.store_next();
    return true;
  });
}

}  // namespace cairn::kernels

#endif
