#pragma once
// Interface of features to the check of an image (check.cpp).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/scene/rules.h"
#include "src/snapshot/image.h"

namespace cairn::snapshot {

inline bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
inline bool finite(Vec3d a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// Equal, in any order.
template <class T>
bool same(std::vector<T> wanted, std::vector<T> found) {
  std::ranges::sort(wanted);
  std::ranges::sort(found);
  return wanted == found;
}

/// One world of an image.
class WorldCheck {
 public:
  WorldCheck(const Image& image, std::uint32_t world, const Image::Ranges& ranges, const file::Reader& reader)
      : part(image.worlds[world]),
        index(world),
        at(ranges),
        surfaces(part),
        shape_of(part.shapes),
        owner(part.bodies, kernels::kNone),
        ignores(part.bodies, false),
        image_(image),
        reader_(reader) {}

  const BodyPart& body(std::uint32_t id) const { return image_.bodies[at.bodies.first + id]; }
  bool alive(std::uint32_t id) const { return id < part.bodies && body(id).alive; }
  bool enabled(std::uint32_t id) const { return body(id).body.enabled; }
  bool dynamic(std::uint32_t id) const { return body(id).body.type == BodyType::kDynamic; }
  bool sized() const;  ///< all scales of size are 1

  void require(bool holds, const char* what) const {
    if (!holds) reader_.refuse(name() + ": " + what);
  }
  void refuse_fault(const std::optional<rules::Fault>& fault, const std::string& what) const {
    if (fault) reader_.refuse(name() + ": " + what + fault->part + ": " + fault->field + " " + fault->rule);
  }

  const WorldPart& part;
  std::uint32_t index;
  Image::Ranges at;
  ImageSurfaces surfaces;
  struct ShapeOwner {
    std::uint32_t body{kernels::kNone}, kind{0};
  };
  std::vector<ShapeOwner> shape_of;  ///< (shapes)
  std::vector<std::uint32_t> owner;  ///< [1] (bodies) of links: the first body of their articulation; kNone; by
                                     ///<     ArticulationFeature
  std::vector<bool> ignores;         ///< (bodies) ignores some body; by FilterFeature and JointFeature

 private:
  std::string name() const { return "world " + std::to_string(index); }

  const Image& image_;
  const file::Reader& reader_;
};

struct ImageCheck {
  const Image& image;
  const file::Reader& reader;
  std::vector<WorldCheck> worlds;

  /// The parts of all worlds have slots that fit.
  template <class Part>
  void require_slots(std::vector<Part> WorldPart::*parts) const {
    std::vector<IndexRange> of_worlds;
    std::vector<std::uint32_t> slots;
    for (const WorldPart& world : image.worlds) {
      of_worlds.push_back({slots.size(), slots.size() + (world.*parts).size()});
      for (const Part& part : world.*parts) slots.push_back(part.slot);
    }
    require_slots(slots, of_worlds);
  }
  void require_slots(const std::vector<std::uint32_t>& slots, const std::vector<IndexRange>& of_worlds) const;
};

}  // namespace cairn::snapshot
