#pragma once
// Hill-type muscles: a contractile element with activation, a spring in parallel, a spring in series (the tendon), and
// a damper, along a path over points of bodies.

#include <vector>

#include "cairn/attributes.h"
#include "cairn/world.h"

namespace cairn {

/// The curves are those of De Groote, Kinney, Rao and Fregly, "Evaluation of direct collocation optimal control problem
/// formulations for solving the muscle redundancy problem", Ann. Biomed. Eng. 44 (2016); activation as in Thelen,
/// "Adjustment of muscle mechanics model parameters to simulate dynamic contractions in older adults", J. Biomech. Eng.
/// 125 (2003).
struct MuscleParams {
  double max_isometric_force{1000};
  double optimal_fibre_length{0.1};
  double tendon_slack_length{0.1};
  double pennation{0};
  double max_fibre_speed{10};
  double tendon_strain{0.049};
  double fibre_strain{0.6};
  double fibre_damping{0.1};
  double activation_time{0.010};
  double deactivation_time{0.040};
};

template <Same<MuscleParams> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::max_isometric_force>(
        {.unit = "N", .meaning = "over 0: of the fibre at its optimal length, fully active"}),
    attribute<&S::optimal_fibre_length>({.unit = "m", .meaning = "over 0"}),
    attribute<&S::tendon_slack_length>({.unit = "m", .meaning = "over 0"}),
    attribute<&S::pennation>({.unit = "rad", .meaning = "0 to 1.4: between fibre and tendon at the optimal length"}),
    attribute<&S::max_fibre_speed>(
        {.unit = "1/s", .meaning = "over 0: optimal lengths a second at which it pulls no more"}),
    attribute<&S::tendon_strain>({.meaning = "over 0: at max_isometric_force"}),
    attribute<&S::fibre_strain>(
        {.meaning = "over 0: past the optimal length, at which it bears as much without activity"}),
    attribute<&S::fibre_damping>({.meaning = "at least 0: share of max_isometric_force at max_fibre_speed"}),
    attribute<&S::activation_time>({.unit = "s", .meaning = "over 0"}),
    attribute<&S::deactivation_time>({.unit = "s", .meaning = "over 0"})};

/// Origin, insertion or via point of a muscle.
struct MusclePoint {
  BodyHandle body;
  Vec3d position;
};

template <Same<MusclePoint> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::body>({.meaning = "null: the world"}),
                                          attribute<&S::position>({.unit = "m", .meaning = "in the body's own frame"})};

/// The two ends of a path pull towards each other; at a point between, the path's change of direction pushes the body.
/// The user keeps the muscle's state (activation and fibre length): snapshots of the World don't hold it, so copy the
/// Muscle. Its force holds for a step. So a step must be short against the period of the mass on the tendon: 1 ms for a
/// kilogramme at 1000 N. Must not outlive the World.
class Muscle {
 public:
  /// Starts without activity, with the fibre in equilibrium. Throws InvalidArgument, naming the member or point, for
  /// fewer than two points, a stale handle, or numbers out of range.
  Muscle(World& world, std::vector<MusclePoint> path, const MuscleParams& params);

  /// Advances by a step of `dt` [s] with an excitation of 0 to 1, and pulls in the next step of the World, which must
  /// have the same length. It doesn't pull while a body of its path is disabled. Throws InvalidArgument for other
  /// numbers and for bodies that were removed.
  void act(double excitation, float dt);

  double activation() const { return activation_; }  ///< [1] 0 to 1
  double force() const { return force_; }            ///< [N] of the tendon, of the last call
  double fibre_length() const { return fibre_; }     ///< [m] of the last call
  double length() const;                             ///< [m] of the path now

 private:
  double tendon_force(double fibre, double path) const;              ///< [1] of max_isometric_force
  double fibre_force(double fibre, double before, double dt) const;  ///< [1] the same, along the tendon
  double balanced(double path, double before, double dt) const;  ///< [m] the fibre length at which the two are equal

  World* world_;
  std::vector<MusclePoint> path_;
  MuscleParams params_;
  double activation_{0}, force_{0}, fibre_{0};
};

}  // namespace cairn
