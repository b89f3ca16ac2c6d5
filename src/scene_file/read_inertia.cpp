// Inertia in files, and the repair of invalid ones.

#include "cairn/mass.h"
#include "src/scene/text.h"
#include "src/scene_file/decode.h"

namespace cairn::scene_file {

void Decoder::tell(const Path& path, const std::string& what) {
  options_.repairs->push_back(std::string(path.file()) + ": " + path.pointer() + ": " + what);
}

/// [xx, yy, zz], or the rows of the tensor.
Inertia Decoder::inertia(const Node& node, const Path& path) {
  require_kind(node, Kind::kArray, path);
  if (node.items.empty() || node.items[0].kind != Kind::kArray) return {read_vec3(node, path), {}};
  if (node.items.size() != 3) fail(path, "must have 3 rows, has " + std::to_string(node.items.size()));
  const Vec3 x = read_vec3(node.items[0], Path(path, 0)), y = read_vec3(node.items[1], Path(path, 1)),
             z = read_vec3(node.items[2], Path(path, 2));
  Inertia out{{x.x, y.y, z.z}, {x.y, x.z, y.z}};
  const auto alike = [&](float& above, float below, const char* names) {
    if (above == below) return;
    const std::string rule =
        std::string("must be symmetric, has ") + names + " = " + rules::digits(above) + " and " + rules::digits(below);
    if (options_.repairs == nullptr) fail(path, rule);
    above = 0.5f * above + 0.5f * below;
    tell(path, rule + "; took " + rules::digits(above));
  };
  alike(out.products.x, y.x, "xy, yx");
  alike(out.products.y, z.x, "xz, zx");
  alike(out.products.z, z.y, "yz, zy");
  return out;
}

void Decoder::repair(Inertia& inertia, const Path& path) {
  const std::string fault = fault_of(inertia);
  if (fault.empty()) return;
  try {
    inertia = repaired(inertia);
  } catch (const InvalidArgument&) {
    // one that can't be repaired is refused with the other rules of its body or link
    return;
  }
  const auto text = [](float a, float b, float c) {
    return "[" + rules::digits(a) + ", " + rules::digits(b) + ", " + rules::digits(c) + "]";
  };
  const Vec3 &m = inertia.moments, &p = inertia.products;
  tell(path, fault + "; took [" + text(m.x, p.x, p.y) + ", " + text(p.x, m.y, p.z) + ", " + text(p.y, p.z, m.z) + "]");
}

}  // namespace cairn::scene_file
