#pragma once
// Descriptions of sensors. cairn/sensors.h reads them.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/filter.h"
#include "cairn/joint.h"
#include "cairn/types.h"

namespace cairn {

/// A frame on a body or link. Bodies are named by their index in a world (World::index_of), so that a site exists in
/// each world of a batch. It scales with its body (cairn/random.h).
struct Site {
  std::uint32_t body{kWorldBody};
  Vec3d position;
  Quat orientation;
  friend bool operator==(const Site&, const Site&) = default;
};
template <Same<Site> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::body>({.meaning = "index; kWorldBody: fixed in the world"}),
    attribute<&S::position>({.unit = "m", .range = kLocalPosition, .meaning = "in the body's own frame"}),
    attribute<&S::orientation>({.meaning = "site to body, any but zero; made unit"})};

/// Axes of the velocities of a FrameSensor.
enum class VelocityAxes : std::uint8_t {
  kReference,  ///< those of the reference
  kSite,       ///< the site's own
};
template <>
struct EnumWords<VelocityAxes> : WordsUpTo<VelocityAxes::kSite> {};

/// Pose and velocity of a site, as seen by an observer who stands on the reference and turns with it.
struct FrameSensor {
  Site site;
  Site reference;
  VelocityAxes velocity_axes{VelocityAxes::kReference};
  friend bool operator==(const FrameSensor&, const FrameSensor&) = default;
};
template <Same<FrameSensor> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::site>({}), attribute<&S::reference>({.meaning = "as it is: the world's frame"}),
    attribute<&S::velocity_axes>({.meaning = "poses always have the reference's"})};

/// Accelerometer and gyroscope.
struct ImuSensor {
  Site site;
  friend bool operator==(const ImuSensor&, const ImuSensor&) = default;
};
template <Same<ImuSensor> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::site>({})};

/// The force of a body's contacts: of all of them, or of those with one other body.
struct ContactSensor {
  std::uint32_t body{0};
  std::optional<std::uint32_t> other;
  friend bool operator==(const ContactSensor&, const ContactSensor&) = default;
};
template <Same<ContactSensor> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::body>({.meaning = "index"}),
    attribute<&S::other>({.meaning = "index; without it all that touch the body"})};

/// Load of the joint of an articulation's link: the force and torque that it exerts on the link, about the joint and in
/// the axes of its frame on the link. The joint must be able to move: links fixed together are one body.
struct JointSensor {
  std::uint32_t articulation{0};
  std::uint32_t link{0};
  friend bool operator==(const JointSensor&, const JointSensor&) = default;
};
template <Same<JointSensor> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::articulation>({.meaning = "by its place in its world's list"}),
                                          attribute<&S::link>({.meaning = "index of Articulation::links"})};

/// Part of the site's rotation that turns the rays of a RayScan. They always begin at the site.
enum class RayAxes : std::uint8_t {
  kSite,   ///< all of it
  kYaw,    ///< the rotation about the world's z axis: height scans stay level
  kWorld,  ///< none
};
template <>
struct EnumWords<RayAxes> : WordsUpTo<RayAxes::kWorld> {};

/// Rays from a site: as many as there are origins or directions; a single one of either serves for all. Without origins
/// all rays begin at the site's origin.
struct RayScan {
  Site site;
  std::vector<Vec3> origins;
  std::vector<Vec3> directions{{0, 0, -1}};
  RayAxes axes{RayAxes::kSite};
  float range{100};
  Filter filter;
  bool sensors{false};
  bool own_body{false};
  friend bool operator==(const RayScan&, const RayScan&) = default;
};
template <Same<RayScan> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::site>({}),
    attribute<&S::origins>({.unit = "m", .range = kLocalPosition, .meaning = "from the site, in `axes`"}),
    attribute<&S::directions>({.meaning = "in `axes`, any length but zero"}),
    attribute<&S::axes>({}),
    attribute<&S::range>({.unit = "m", .range = over(0, 1e8), .meaning = "how far the rays go"}),
    attribute<&S::filter>({.meaning = "finds what a shape with it would touch"}),
    attribute<&S::sensors>({.meaning = "finds shapes that are sensors, too"}),
    attribute<&S::own_body>({.meaning = "finds the body of the site, too"})};

/// A pinhole camera, which looks along -z of its site; x is right and y is up.
struct CameraSensor {
  Site site;
  std::uint32_t width{64};
  std::uint32_t height{48};
  float field_of_view{60};
  float range{100};
  Filter filter;
  bool sensors{false};
  bool own_body{false};
  friend bool operator==(const CameraSensor&, const CameraSensor&) = default;
};
template <Same<CameraSensor> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::site>({}),
    attribute<&S::width>({.range = between(1, 4096), .meaning = "pixels"}),
    attribute<&S::height>({.range = between(1, 4096), .meaning = "pixels"}),
    attribute<&S::field_of_view>(
        {.unit = "deg", .range = between(1, 150), .meaning = "from the lower edge to the upper"}),
    attribute<&S::range>({.unit = "m", .range = over(0, 1e7), .meaning = "how deep it sees, along its axis"}),
    attribute<&S::filter>({.meaning = "sees what a shape with it would touch"}),
    attribute<&S::sensors>({.meaning = "sees shapes that are sensors, too"}),
    attribute<&S::own_body>({.meaning = "sees the body of the site, too"})};

/// Sensors of a world; a batch has them in each of its worlds.
struct SensorSet {
  std::vector<FrameSensor> frames;
  std::vector<ImuSensor> imus;
  std::vector<ContactSensor> contacts;
  std::vector<JointSensor> joints;
  std::vector<RayScan> scans;
  std::vector<CameraSensor> cameras;
  friend bool operator==(const SensorSet&, const SensorSet&) = default;
};
template <Same<SensorSet> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::frames>({}),   attribute<&S::imus>({}),
                                          attribute<&S::contacts>({}), attribute<&S::joints>({}),
                                          attribute<&S::scans>({}),    attribute<&S::cameras>({})};

}  // namespace cairn
