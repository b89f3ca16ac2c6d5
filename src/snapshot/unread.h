#pragma once
// Values of an image that no step reads: remains of removed bodies, shapes, joints and contacts, points past a
// contact's count, and results that a step recomputes. They are blank in every snapshot: so worlds that behave alike
// give the same bytes, and a World restored from a snapshot writes the same snapshot.

#include <cstring>
#include <string>
#include <type_traits>

#include "src/snapshot/image.h"

namespace cairn::snapshot {

/// Calls f(world, thing, index of it in the world, part, value) for each.
template <class Of, class F>
void each_unread(Of& image, F f) {
  const std::vector<Image::Ranges> ranges = image.ranges();
  const kernels::Bodies& b = image.body_columns.view();
  for (std::size_t w = 0; w < ranges.size(); ++w) {
    const Image::Ranges& at = ranges[w];
    std::vector<bool> owned(at.shapes.size(), false);
    for (std::size_t i = at.bodies.first; i < at.bodies.last; ++i) {
      const auto of_body = [&](const char* part, auto& value) { f(w, "body", i - at.bodies.first, part, value); };
      auto& body = image.bodies[i];
      for (const std::uint32_t shape : body.shapes) owned[shape] = true;
      if (!body.alive) {
        of_body("description", body.body);
        of_body("mass", body.mass);
        of_body("scales", body.scales);
        each_kept(b, [&](auto* column) { of_body("state", column[i]); });
        continue;
      }
      const auto slot = static_cast<std::uint32_t>(i);
      if (!kernels::keeps_q1(b, slot)) of_body("orientation in double precision", b.q1[i]);
      if (!kernels::keeps_field_force(b.flags[i])) of_body("force of fields", b.field_force[i]);
      if (!kernels::keeps_w_body(b, slot)) of_body("angular velocity in its own frame", b.w_body[i]);
    }
    for (std::size_t s = 0; s < owned.size(); ++s) {
      if (!owned[s]) f(w, "shape", s, "geometry", image.shape_columns.view().geometry[at.shapes.first + s]);
    }
    std::size_t index = 0;
    for (auto& joint : image.worlds[w].joints) {
      const auto of_joint = [&](const char* part, auto& value) { f(w, "joint", index, part, value); };
      if (!joint.alive) {
        of_joint("description", joint.joint);
        of_joint("memory", joint.memory);
        of_joint("result", joint.result);
      }
      ++index;
    }
    index = 0;
    for (auto& set : image.worlds[w].particles) {
      for (std::size_t i = 0; i < set.anchors.size(); ++i) {
        if (set.held_by[i] != kernels::kNone) continue;
        f(w, "set of particles", index, "anchor on a body that is gone", set.anchors[i]);
      }
      ++index;
    }
    for (std::size_t p = at.pairs.first; p < at.pairs.last; ++p) {
      const auto of_contact = [&](const char* part, auto& value) { f(w, "contact", p - at.pairs.first, part, value); };
      kernels::Manifold& m = image.pair_columns.view().manifold[p];
      if (m.count == 0) {
        of_contact("manifold without points", m);
        continue;
      }
      for (std::uint32_t j = m.count; j < kernels::kManifoldPoints; ++j) {
        of_contact("points past their count", m.points[j]);
      }
      if ((m.flags & kernels::kManifoldFlat) != 0) continue;
      of_contact("first orientation", m.q_a);
      of_contact("second orientation", m.q_b);
    }
  }
}

/// True if its bytes in a file equal those of a T{}.
template <class T>
bool is_blank(const T& value) {
  if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(float) == 0 && alignof(T) == alignof(float)) {
    // words only, so no padding
    const T none{};
    return std::memcmp(&value, &none, sizeof none) == 0;
  } else {
    const auto bytes_of = [](const T& of) {
      file::Writer writer;
      writer(of);
      return writer.take();
    };
    static const std::string none = bytes_of(T{});
    return bytes_of(value) == none;
  }
}

}  // namespace cairn::snapshot
