#include "cairn/track.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/common/exact.h"
#include "kernels/joints/angle.h"
#include "src/exec/exactly.h"
#include "src/scene/rules.h"

namespace cairn {
namespace {

template <class Keys>
void check_times(const Keys& keys, const char* what) {
  if (keys.empty()) throw InvalidArgument(std::string(what) + ": needs a key at least");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool ascends = std::isfinite(keys[i].time) && (i == 0 || keys[i - 1].time < keys[i].time);
    if (!ascends) {
      throw InvalidArgument(std::string(what) + ": key " + std::to_string(i) +
                            " must have a finite time after that of the key before");
    }
  }
}

/// The interval between two keys that contains a time, and the share of it that is over.
struct Place {
  std::size_t from{0}, to{0};
  double share{0};  ///< [1] 0 to 1
};
template <class Keys>
Place place_of(const Keys& keys, bool repeats, double time) {
  const double first = keys.front().time, span = keys.back().time - first;
  if (repeats && span > 0) time -= std::floor((time - first) / span) * span;
  if (!(time > first)) return {};
  if (time >= keys.back().time) return {keys.size() - 1, keys.size() - 1, 0};
  const auto after =
      std::upper_bound(keys.begin(), keys.end(), time, [](double t, const auto& k) { return t < k.time; });
  const auto to = static_cast<std::size_t>(after - keys.begin());
  return {to - 1, to, (time - keys[to - 1].time) / (keys[to].time - keys[to - 1].time)};
}

/// Slopes at the keys: weighted harmonic means of the two adjacent secants, 0 where these differ in sign. At the ends
/// they are the first and last secants, or those of a periodic track if it repeats.
std::vector<double> smooth_slopes(const std::vector<TrackKey>& keys, bool repeats) {
  const std::size_t n = keys.size();
  std::vector<double> slopes(n, 0);
  if (n < 2) return slopes;
  const auto width = [&](std::size_t i) { return keys[i + 1].time - keys[i].time; };
  const auto secant = [&](std::size_t i) { return (keys[i + 1].value - keys[i].value) / width(i); };
  const auto between = [&](std::size_t before, std::size_t after) {
    const double a = secant(before), b = secant(after);
    if (!(a * b > 0)) return 0.0;
    const double w_a = 2 * width(after) + width(before), w_b = width(after) + 2 * width(before);
    return (w_a + w_b) / (w_a / a + w_b / b);
  };
  for (std::size_t i = 1; i + 1 < n; ++i) slopes[i] = between(i - 1, i);
  slopes[0] = secant(0);
  slopes[n - 1] = secant(n - 2);
  if (repeats && keys.front().value == keys.back().value) slopes[0] = slopes[n - 1] = between(n - 2, 0);
  return slopes;
}

}  // namespace

Track::Track(std::vector<TrackKey> keys, Interpolation interpolation, bool repeats)
    : keys_(std::move(keys)), interpolation_(interpolation), repeats_(repeats) {
  const exec::ExactFloats exact;
  check_times(keys_, "track");
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!std::isfinite(keys_[i].value))
      throw InvalidArgument("track: key " + std::to_string(i) + " must have a finite value");
  }
  slopes_ = smooth_slopes(keys_, repeats_);
}

double Track::value(double time) const {
  return exec::exactly([&]() -> double {
    const Place at = place_of(keys_, repeats_, time);
    const double from = keys_[at.from].value, to = keys_[at.to].value, u = at.share;
    if (interpolation_ == Interpolation::kStep || at.from == at.to) return from;
    if (interpolation_ == Interpolation::kLinear) return from + u * (to - from);
    const double width = keys_[at.to].time - keys_[at.from].time, v = 1 - u;
    return v * v * (1 + 2 * u) * from + u * u * (3 - 2 * u) * to +
           width * u * v * (v * slopes_[at.from] - u * slopes_[at.to]);
  });
}

double Track::rate(double time) const {
  return exec::exactly([&]() -> double {
    const Place at = place_of(keys_, repeats_, time);
    if (interpolation_ == Interpolation::kStep || at.from == at.to) return 0;
    const double width = keys_[at.to].time - keys_[at.from].time, u = at.share;
    const double secant = (keys_[at.to].value - keys_[at.from].value) / width;
    if (interpolation_ == Interpolation::kLinear) return secant;
    return 6 * u * (1 - u) * secant + (1 - u) * (1 - 3 * u) * slopes_[at.from] + u * (3 * u - 2) * slopes_[at.to];
  });
}

PoseTrack::PoseTrack(std::vector<PoseKey> keys, bool repeats) : keys_(std::move(keys)), repeats_(repeats) {
  const exec::ExactFloats exact;
  check_times(keys_, "pose track");
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const Vec3d& p = keys_[i].position;
    const Quat& q = keys_[i].orientation;
    const double squared = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
    if (!std::isfinite(p.x + p.y + p.z) || !(squared > 0) || !std::isfinite(squared)) {
      throw InvalidArgument("pose track: key " + std::to_string(i) +
                            " must have a finite position and an orientation that isn't zero");
    }
    keys_[i].orientation = rules::unit(q);
  }
}

Pose PoseTrack::pose(double time) const {
  const exec::ExactFloats exact;
  const Place at = place_of(keys_, repeats_, time);
  const PoseKey &from = keys_[at.from], &to = keys_[at.to];
  const double u = at.share;
  const Vec3d p{from.position.x + u * (to.position.x - from.position.x),
                from.position.y + u * (to.position.y - from.position.y),
                from.position.z + u * (to.position.z - from.position.z)};
  const Quat &a = from.orientation, &b = to.orientation;
  const double dot = double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z + double{a.w} * b.w;
  const double cosine = std::min(std::abs(dot), 1.0);
  const double angle = kernels::atan2(kernels::sqrt((1 - cosine) * (1 + cosine)), cosine);
  const double sine = kernels::sincos(angle).sin;
  // nearly equal: the arc is a line
  double of_a = 1 - u, of_b = u;
  if (sine > 1e-6) of_a = kernels::sincos((1 - u) * angle).sin / sine, of_b = kernels::sincos(u * angle).sin / sine;
  if (dot < 0) of_b = -of_b;
  const auto mixed = [&](float x, float y) { return static_cast<float>(of_a * double{x} + of_b * double{y}); };
  return {p, rules::unit({mixed(a.x, b.x), mixed(a.y, b.y), mixed(a.z, b.z), mixed(a.w, b.w)})};
}

void follow(World& world, JointHandle joint, JointDof dof, const Track& track, double time, float dt) {
  const exec::ExactFloats exact;
  if (!(dt > 0)) throw InvalidArgument("follow: dt must be over 0");
  const double length = dt;
  JointDrive drive = world.drive(joint, dof);
  drive.target = static_cast<float>(track.value(time));
  drive.rate = static_cast<float>((track.value(time) - track.value(time - length)) / length);
  world.set_drive(joint, dof, drive);
}

void follow(World& world, BodyHandle body, const PoseTrack& track, double time, float dt) {
  const exec::ExactFloats exact;
  const Pose to = track.pose(time);
  world.move_to(body, to.position, to.orientation, dt);
}

}  // namespace cairn
