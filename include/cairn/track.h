#pragma once
// Motions over time for drives and kinematic bodies. A track is a value: it may serve any number of worlds, and a World
// that follows one keeps only the drive or velocity of its next step.

#include <vector>

#include "cairn/attributes.h"
#include "cairn/world.h"

namespace cairn {

/// Interpolation of a track between its keys. Before the first and after the last its value is constant, unless it
/// repeats.
enum class Interpolation : std::uint8_t {
  kStep,  ///< the key before
  kLinear,
  kSmooth,  ///< cubic, with a continuous rate that doesn't overshoot the keys (Fritsch and Carlson 1980)
};
template <>
struct EnumWords<Interpolation> : WordsUpTo<Interpolation::kSmooth> {};

struct TrackKey {
  double time{0};
  double value{0};
};

template <Same<TrackKey> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::time>({.unit = "s"}), attribute<&S::value>({.unit = "m, rad"})};

/// A number over time. Throws InvalidArgument, naming the key, unless there is at least one, all are finite and the
/// times ascend.
class Track {
 public:
  explicit Track(std::vector<TrackKey> keys, Interpolation interpolation = Interpolation::kSmooth,
                 bool repeats = false);
  double value(double time) const;  ///< [m, rad]
  double rate(double time) const;   ///< [m/s, rad/s]

 private:
  std::vector<TrackKey> keys_;
  std::vector<double> slopes_;  ///< [m/s, rad/s] (keys) of kSmooth
  Interpolation interpolation_;
  bool repeats_;
};

struct PoseKey {
  double time{0};
  Vec3d position;
  Quat orientation;
};

template <Same<PoseKey> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::time>({.unit = "s"}),
    attribute<&S::position>({.unit = "m", .meaning = "world, of the body's own origin"}),
    attribute<&S::orientation>({.meaning = "body to world; made unit"})};
struct Pose {
  Vec3d position;
  Quat orientation;
};

template <Same<Pose> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::position>({.unit = "m", .meaning = "world"}),
                                          attribute<&S::orientation>({.meaning = "body to world"})};

/// A pose over time: linear positions, orientations along the shorter arc at a constant rate. Throws like Track.
class PoseTrack {
 public:
  explicit PoseTrack(std::vector<PoseKey> keys, bool repeats = false);
  Pose pose(double time) const;

 private:
  std::vector<PoseKey> keys_;
  bool repeats_;
};

/// Sets a drive to a track's value at `time`, and to the mean rate over the `dt` before it. These are for the next step
/// if `time` is WorldReport::time + dt. Throws like World::set_drive.
void follow(World& world, JointHandle joint, JointDof dof, const Track& track, double time, float dt);
/// Gives a kinematic body the velocity that takes it to the track's pose at `time`, in a step of `dt`. Throws like
/// World::move_to.
void follow(World& world, BodyHandle body, const PoseTrack& track, double time, float dt);

}  // namespace cairn
