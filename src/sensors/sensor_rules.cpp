#include "src/sensors/sensor_rules.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "cairn/errors.h"
#include "kernels/common/exact.h"
#include "kernels/queries/query_rules.h"
#include "src/scene/check_attributes.h"

namespace cairn::rules {
namespace {

/// Rules of vectors that a list can't express.
void check_rays(Checker& check, const RayScan& scan, const Where& where) {
  const auto require = [&](bool holds, const std::string& field, const std::string& rule) {
    if (!holds) check.require(false, where.name() + " " + field, "", rule);
  };
  constexpr AttributeRange kOrigin = info_of<&RayScan::origins>().range;
  for (std::size_t i = 0; i < scan.origins.size() && check.good(); ++i) {
    const Vec3 at = scan.origins[i];
    require(is_within(at.x, kOrigin) && is_within(at.y, kOrigin) && is_within(at.z, kOrigin),
            "origins[" + std::to_string(i) + "]", rule_of(kOrigin, "m", 0));
  }
  for (std::size_t i = 0; i < scan.directions.size() && check.good(); ++i) {
    const Vec3 d = scan.directions[i];
    require(std::isfinite(d.x) && std::isfinite(d.y) && std::isfinite(d.z) && d != Vec3{},
            "directions[" + std::to_string(i) + "]", "must be finite and not zero");
  }
  require(!scan.directions.empty(), "directions", "must not be empty");
  const std::size_t origins = scan.origins.size(), directions = scan.directions.size();
  require(origins <= 1 || directions == 1 || origins == directions, "directions",
          "must be one or as many as origins, which are " + std::to_string(origins) + ", are " +
              std::to_string(directions));
}

/// The corner rays are a camera's longest.
void check_corners(Checker& check, const CameraSensor& camera, const Where& where) {
  if (!check.good()) return;
  const double longest = double{camera.range} / double{rays_of(camera).front().depth};
  check.require(longest <= kernels::kQueryRange, where.name() + " range", "",
                "must be at most " + digits(double{camera.range} * (kernels::kQueryRange / longest)) +
                    " m with this field of view, is " + digits(camera.range));
}

}  // namespace

void check_sensors(const SensorSet& set) {
  Checker check;
  each_attribute<SensorSet>([&](const auto& list) {
    const auto& sensors = set.*list.member;
    for (std::size_t i = 0; i < sensors.size() && check.good(); ++i) {
      const std::string name = std::string(list.name()) + "[" + std::to_string(i) + "]";
      const Where where{nullptr, name, ""};
      check_attributes(check, sensors[i], &where);
      using T = std::remove_cvref_t<decltype(sensors[i])>;
      if constexpr (std::is_same_v<T, RayScan>) check_rays(check, sensors[i], where);
      if constexpr (std::is_same_v<T, CameraSensor>) check_corners(check, sensors[i], where);
    }
  });
  if (check.fault) throw InvalidArgument("Sensors: " + check.fault->field + " " + check.fault->rule);
}

std::vector<kernels::SensorRay> rays_of(const RayScan& scan) {
  const std::size_t origins = scan.origins.size(), directions = scan.directions.size();
  const std::size_t count = std::max(origins, directions);
  std::vector<kernels::SensorRay> rays;
  rays.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 origin = origins == 0 ? Vec3{} : scan.origins[origins == 1 ? 0 : i];
    rays.push_back({origin, scan.directions[directions == 1 ? 0 : i], 1.0f});
  }
  return rays;
}

std::vector<kernels::SensorRay> rays_of(const CameraSensor& camera) {
  const double half = 0.5 * double{camera.field_of_view} * (std::numbers::pi / 180);
  const kernels::SinCosd turn = kernels::sincos(half);
  const double height = camera.height, width = camera.width;
  // half the picture's height at 1 m
  const double tangent = turn.sin / turn.cos;
  std::vector<kernels::SensorRay> rays;
  rays.reserve(std::size_t{camera.width} * camera.height);
  for (std::uint32_t row = 0; row < camera.height; ++row) {
    for (std::uint32_t column = 0; column < camera.width; ++column) {
      const double x = tangent * ((2 * column + 1 - width) / height), y = tangent * ((height - 2 * row - 1) / height);
      const Vec3 direction{static_cast<float>(x), static_cast<float>(y), -1};
      const double l = kernels::sqrt(double{direction.x} * direction.x + double{direction.y} * direction.y + 1.0);
      rays.push_back({{}, direction, static_cast<float>(1.0 / l)});
    }
  }
  return rays;
}

}  // namespace cairn::rules
