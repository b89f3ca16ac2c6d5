#pragma once
// Time of impact of two bodies that move through a step.

#include "kernels/ccd/motion.h"
#include "kernels/collide/collide_surface.h"
#include "kernels/collide/far.h"
#include "kernels/pair/pair.h"

namespace cairn::kernels {

/// [1] Size of a moving body's core, which must not pass through anything, over its own size. Contacts keep the body's
/// outside off: so bodies that slide along a wall, or past an edge, aren't stopped.
inline constexpr double kCcdCore = 0.75;
/// [1] Gap at which a body is stopped before an obstacle, over its smallest half extent. Less than the margin within
/// which the next step finds the contact, and enough that it is stopped hard there: soft contacts let an eighth of the
/// speed through.
inline constexpr double kCcdGap = 0.25;
/// [1] Distance that counts as met, over the depth by which the core is smaller.
inline constexpr double kCcdNear = 0.02;
inline constexpr int kCcdRounds = 48;
/// [1] Min motion of two bodies that both move and are near from the start, over the motion to where the cores meet. A
/// body that rolls about its contact approaches with its middle and not there; without a min motion it would hang there
/// for ever, while gravity makes it fast. For a static wall there is none: bodies of a centimetre would get through it,
/// half by half.
inline constexpr double kCcdStride = 0.5;

/// Shrinks a shape about its middle.
CAIRN_HD void shrink(Convex& c) {
  c.x = fma(1.0 - kCcdCore, c.r * c.centre, c.x);
  c.size = kCcdCore * c.size;
  c.centre = kCcdCore * c.centre;
  c.scale *= kCcdCore;
  c.round *= kCcdCore;
  c.reach *= kCcdCore;
}

/// Conservative advancement (Mirtich 1996) of the remaining motion of two bodies: they advance by their distance over
/// their closing speed along its normal, until they meet or the motion ends. From there they go back to where the whole
/// bodies are a gap apart. If a core is inside from the start only contacts can help. Passes after the first examine
/// bodies that the pass before stopped earlier, in their remaining motion. Reads the marks of earlier passes; writes
/// those of this one for both bodies, by an integer max.
struct CcdPair {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Solids solids;
  StepState* state;
  int pass;  ///< [1]

  CAIRN_HD_CALL void operator()(const PairShapes& pair) const {
    const std::uint32_t a = shapes.body[pair.a], b = shapes.body[pair.b];
    if (pass > 0 && bodies.ccd[a].at[pass - 1] == 0 && bodies.ccd[b].at[pass - 1] == 0) return;
    const bool far_a = is_awake_free(bodies.flags[a]), far_b = is_awake_free(bodies.flags[b]);
    if ((!far_a && !far_b) || sees(pair.a) || sees(pair.b)) return;
    const float limit = min(far_a ? far_move(bodies, a) : kNoExtent, far_b ? far_move(bodies, b) : kNoExtent);
    if (!(relative_way(a, b) > limit) || !has_way(k, bodies, a) || !has_way(k, bodies, b)) return;
    const ShapeGeometry ga = shapes.geometry[pair.a], gb = shapes.geometry[pair.b];
    // nothing gets to the other side of a half-space
    if (ga.kind == ShapeKind::kPlane || gb.kind == ShapeKind::kPlane) return;
    MeshTriangle face{};
    if (is_surface(gb.kind)) face = triangle_of(gb, solids, pair.triangle);
    const Impact impact = impact_of({way_of(a, a), ga, far_a, bodies.min_extent[a]},
                                    {way_of(b, a), gb, far_b, bodies.min_extent[b]}, face);
    if (!(impact.t < 1.0)) return;
    const std::uint32_t stop = ~bits_of(static_cast<float>(impact.t));
    if (far_a && impact.stops_a) mark(a, stop);
    if (far_b && impact.stops_b) mark(b, stop);
  }

  CAIRN_HD void mark(std::uint32_t body, std::uint32_t stop) const {
    if (!(stop > bodies.ccd[body].after(pass))) return;
    atomic_max(&bodies.ccd[body].at[pass], stop);
    atomic_or(&state->ccd_passes, 1u << pass);
  }

 private:
  CAIRN_HD bool sees(std::uint32_t shape) const {
    return (k.filters & kUseSensors) != 0 && is_sensor(shapes.filter[shape]);
  }
  /// A shape of a moving body.
  struct Mover {
    Way way;
    ShapeGeometry geometry;
    bool far;           ///< may be stopped: then its core counts
    double min_extent;  ///< [m] smallest half extent of its body
  };

  CAIRN_HD float relative_way(std::uint32_t a, std::uint32_t b) const {
    const bool moves_a = moves(bodies.flags[a]), moves_b = moves(bodies.flags[b]);
    const Vec3 none{0, 0, 0};
    const Vec3 dx_a = moves_a ? bodies.solve[a].dx : none, dx_b = moves_b ? bodies.solve[b].dx : none;
    // up to where the first of the two stops, or at the end
    const float t_a = share_of(bodies.ccd[a].after(pass)), t_b = share_of(bodies.ccd[b].after(pass));
    const float way = max(min(t_a, t_b) * length(dx_a - dx_b), length(t_a * dx_a - t_b * dx_b));
    return way + (moves_a ? turned_way(k, bodies, a) : 0.0f) + (moves_b ? turned_way(k, bodies, b) : 0.0f);
  }

  CAIRN_HD Way way_of(std::uint32_t body, std::uint32_t from) const {
    const FarPair far = far_pair(bodies, from, body);
    const Vec3 offset = (bodies.x[body] - bodies.x[from]) + (bodies.x_low[body] - bodies.x_low[from]);
    const Vec3d start = far.any ? (far.b_stands ? far.x : -far.x) : widen(offset);
    const Quat q = bodies.q[body];
    if (!moves(bodies.flags[body])) return {start, {0, 0, 0}, far.any, widen(q), widen(q), 0.0, 1.0};
    const Quatd q0 = widen(q), q1 = bodies.q1[body];
    const double cosine = abs(dot(q0, q1));
    // an angle is at most pi / 2 times twice the sine of its half
    const double turn = 3.2 * sqrt(max(1.0 - cosine * cosine, 0.0)) * bodies.radius[body];
    const double end = share_of(bodies.ccd[body].after(pass));
    return {start, widen(bodies.solve[body].dx), far.any, q0, q1, turn, end};
  }

  /// First approach of the two within [0, end]; `end` if there is none.
  struct Meeting {
    bool met;
    double t;        ///< [1] fraction of the motion
    double closing;  ///< [m] approach along their normal, over the whole motion
  };

  /// With the cores only, or with the whole bodies.
  CAIRN_HD_CALL Meeting meet(const Mover& a, const Mover& b, const MeshTriangle& face, bool cores, double gap,
                             double end) const {
    Meeting m{false, 0.0, 0.0};
    Vec3d guess{0, 0, 1};
    for (int round = 0; round < kCcdRounds; ++round) {
      Convex on_a = at(a, face, m.t), on_b = at(b, face, m.t);
      if (cores && a.far) shrink(on_a);
      if (cores && b.far) shrink(on_b);
      const Closest near = closest_points(on_a, on_b, guess);
      const double distance = near.distance - on_a.round - on_b.round;
      const double on_a_way = m.t < a.way.end ? 1.0 : 0.0, on_b_way = m.t < b.way.end ? 1.0 : 0.0;
      if (near.apart) m.closing = dot(near.n, on_a_way * a.way.dx - on_b_way * b.way.dx), guess = near.n;
      m.met = !near.apart || distance <= gap;
      if (m.met) return m;
      const double rate = m.closing + on_a_way * a.way.turn + on_b_way * b.way.turn;
      // they move at this rate until one of them stops
      double until = end;
      if (m.t < a.way.end) until = min(until, a.way.end);
      if (m.t < b.way.end) until = min(until, b.way.end);
      if (!(rate * (until - m.t) > distance - gap)) {
        m.t = until;
        if (until == end) return m;
        continue;
      }
      m.t = min(m.t + max(distance - 0.5 * gap, 0.5 * gap) / rate, until);
    }
    // a body that turns much approaches slowly by these bounds: it is known to get that far, and no farther
    m.met = m.t < end;
    return m;
  }

  /// A body that stopped before the two meet is an obstacle for the other, and isn't shortened itself: otherwise bodies
  /// that fall in contact would all hang in the air as soon as one of them is about to land.
  struct Impact {
    double t;               ///< [1] fraction of the motion; 1 if nothing stops it
    bool stops_a, stops_b;  ///< still moving then
  };
  CAIRN_HD Impact impact_of(const Mover& a, const Mover& b, const MeshTriangle& face) const {
    double met = 1.0;
    const double t = time_of_impact(a, b, face, met);
    return {t, met <= a.way.end, met <= b.way.end};
  }

  /// Fraction of the motion; 1 if nothing stops it. `met`: that at which the cores meet.
  CAIRN_HD_CALL double time_of_impact(const Mover& a, const Mover& b, const MeshTriangle& face, double& met) const {
    if (is_surface(b.geometry.kind) && behind(at(a, face, 0.0), at(b, face, 0.0))) return 1.0;
    const double least = (a.far ? a.min_extent : 0.0) + (b.far ? b.min_extent : 0.0);
    const Meeting core = meet(a, b, face, true, kCcdNear * least, 1.0);
    if (!core.met || core.t == 0.0) return 1.0;
    met = core.t;
    const Meeting whole = meet(a, b, face, false, kCcdGap * least, core.t);
    if (whole.t > 0.0) return whole.t;
    // near from the start: as deep as allowed
    const double depth = (1.0 - kCcdCore) * least;
    const double min_t = a.far && b.far ? kCcdStride * core.t : 0.0;
    return core.closing > 0.0 ? max(core.t - depth / core.closing, min_t) : core.t;
  }

  CAIRN_HD Convex at(const Mover& m, const MeshTriangle& face, double time) const {
    const double t = min(time, m.way.end);
    const Quat q = between(m.way.q0, m.way.q1, t);
    const ShapeGeometry& g = m.geometry;
    const Vec3d x = fma(t, m.way.dx, m.way.x0);
    ShapePose pose{narrow(x) + rotate(q, g.position), q * g.orientation};
    if (m.way.far) pose.x_low = narrow(x + matrix_of_any(q) * widen(g.position) - widen(pose.x));
    return is_surface(g.kind) ? convex_of(face, g.size.x, pose) : convex_of(g, pose, solids);
  }

  /// A surface lets a shape pass whose centre is behind it.
  CAIRN_HD static bool behind(const Convex& s, const Convex& triangle) {
    const Feature face = feature_of(triangle, {0, 0, 1});
    return dot(face.normal, s.x + s.r * s.centre - face.corner(0)) < 0.0;
  }
};

/// [1] Max motion of a body beyond its box, in cells of its level, in a world with more than one cell. A body kicked
/// farther stops at the end of its box, whatever is in its way. The search takes time with the cube of this.
inline constexpr float kMaxPast = 4.0f;

/// Examines the shapes in the way of a shape, or in whose way it is. As for contacts, which may reach less far, one
/// shape of each pair finds the other. A shape that left its box examines all in its way. One thread per shape slot.
struct CcdShape {
  PairQuery query;
  Surfaces surfaces;
  CcdPair pair;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (pair.pass > 0 && (pair.state->ccd_passes >> (pair.pass - 1) & 1u) == 0) return;
    const auto look = [&](std::uint32_t a, std::uint32_t b) { pair(shapes_of(key_of_pair(a, b), surfaces)); };
    query.visit(i, look);
    if (query.shapes.sorted_bucket[i] > query.k.bucket_count) return;
    const auto past_of = [&](std::uint32_t slot) {
      return way_past_box(query.k, query.bodies, query.worlds, query.shapes.body[slot]);
    };
    const std::uint32_t slot = query.shapes.sorted[i];
    const float past = past_of(slot);
    if (!(past > 0.0f)) return;
    if (past <= kMaxPast * query.cell_size(i)) {
      query.visit_past(i, past, past_of, look);
    } else if (pair.pass == 0) {
      const std::uint32_t body = query.shapes.body[slot];
      pair.mark(body, ~bits_of(1.0f - past / way_of_surface(query.k, query.bodies, body)));
    }
  }
};

}  // namespace cairn::kernels
