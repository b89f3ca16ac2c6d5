#include "src/scene_file/read_geometry.h"

#include <algorithm>
#include <bit>
#include <system_error>

#include "cairn/mesh_file.h"
#include "src/scene_file/read_attributes.h"
#include "src/shape/data.h"

namespace cairn::scene_file {
namespace {

/// The elements of a list that must be there.
template <class T>
std::vector<T> list_of(const Fields& fields, std::string_view key, const Path& path) {
  return take_list<T>(fields.require(key), Path(path, key));
}

/// Turns an exception of a shape's constructor into an error at the shape's place in the file.
template <class Make>
auto made(const Make& make, const Path& path) {
  try {
    return make();
  } catch (const SceneFileError&) {
    throw;
  } catch (const InvalidArgument& error) {
    fail(path, error.what());
  }
}

/// The earlier shape, if it is equal.
template <class Shape>
Shape shared(std::unordered_map<std::uint64_t, Shape>& known, Shape shape) {
  const auto [at, added] = known.try_emplace(shape.data()->hash, shape);
  return at->second == shape ? at->second : shape;
}

}  // namespace

void GeometryReader::count(std::uint64_t n, const Path& path) {
  if (n > limits_.shape_numbers - numbers_) {
    fail(path, "more than " + std::to_string(limits_.shape_numbers) +
                   " numbers in hulls, meshes, height fields, point masses, starts, particles and fields in all");
  }
  numbers_ += n;
}

Geometry GeometryReader::read(std::size_t kind, const Node& node, const Path& path) {
  const Overloads reader{[&]<Described Kind>(const Kind&) -> Geometry { return read_described<Kind>(node, path); },
                         [&](const ConvexHull&) { return hull(node, path); },
                         [&](const TriangleMesh&) { return mesh(node, path); },
                         [&](const HeightField&) { return height_field(node, path); }};
  return std::visit(reader, make_type<Geometry>(kind));
}

Geometry GeometryReader::hull(const Node& node, const Path& path) {
  const Fields fields(node, kHullKeys, path);
  if (fields.find("file") != nullptr) {
    if (fields.find("points") != nullptr) fail(path, "must have one of points and file, has both");
    return from_file<ConvexHull>(fields, path);
  }
  if (fields.find("scale") != nullptr) fail(Path(path, "scale"), "is for a file, and there is none");
  const auto points = list_of<Vec3>(fields, "points", path);
  return shared(hulls_, made([&] { return ConvexHull(points); }, Path(path, "points")));
}

Geometry GeometryReader::mesh(const Node& node, const Path& path) {
  const Fields fields(node, kMeshKeys, path);
  if (fields.find("file") != nullptr) {
    if (fields.find("vertices") != nullptr || fields.find("triangles") != nullptr)
      fail(path, "must have a file or vertices and triangles, has both");
    return from_file<TriangleMesh>(fields, path);
  }
  if (fields.find("scale") != nullptr) fail(Path(path, "scale"), "is for a file, and there is none");
  const auto vertices = list_of<Vec3>(fields, "vertices", path);
  const auto triangles = list_of<TriangleMesh::Triangle>(fields, "triangles", path);
  return shared(meshes_, made([&] { return TriangleMesh(vertices, triangles); }, path));
}

Geometry GeometryReader::height_field(const Node& node, const Path& path) {
  const Fields fields(node, kHeightFieldKeys, path);
  const auto side = [&](std::string_view key) {
    const int n = read_int(fields.require(key), Path(path, key));
    if (n < 0) fail(Path(path, key), "must be at least 2, is " + std::to_string(n));
    return static_cast<std::uint32_t>(n);
  };
  const std::uint32_t columns = side("columns"), rows = side("rows");
  const float spacing = read_float(fields.require("spacing"), Path(path, "spacing"));
  const auto heights = list_of<float>(fields, "heights", path);
  return shared(fields_, made([&] { return HeightField(columns, rows, spacing, heights); }, path));
}

/// The file must be in the scene's folder or below, links included: a foreign scene can't read files of the machine on
/// which it is read.
std::filesystem::path GeometryReader::find(const std::string& name, const Path& path) const {
  if (options_.folder.empty()) fail(path, "can't be named by a scene that isn't in a folder itself");
  const std::filesystem::path given = name;
  const bool climbs = std::ranges::any_of(given, [](const auto& part) { return part == ".."; });
  if (name.empty() || name.find('\0') != std::string::npos || given.is_absolute() || climbs)
    fail(path, "must be a path below the scene's folder, is " + in_quotes(name));
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(options_.folder, error);
  if (error) fail(path, "the scene's folder can't be found");
  const std::filesystem::path file = std::filesystem::canonical(options_.folder / given, error);
  if (error) fail(path, "there is no file " + in_quotes(name) + " in the scene's folder");
  const auto ends = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  if (ends.first != folder.end()) fail(path, "must lie below the scene's folder; " + in_quotes(name) + " leads out");
  return file;
}

template <class Shape>
Geometry GeometryReader::from_file(const Fields& fields, const Path& path) {
  const Path at(path, "file");
  const std::string& name = read_string(fields.require("file"), at);
  float scale = 1;
  fields.read("scale", read_float, scale);
  if (!(scale > 0)) fail(Path(path, "scale"), "must be over 0");
  const std::filesystem::path file = find(name, at);
  const std::string key = (std::is_same_v<Shape, ConvexHull> ? "h" : "m") +
                          std::to_string(std::bit_cast<std::uint32_t>(scale)) + file.string();
  if (const auto known = of_file_.find(key); known != of_file_.end()) return known->second;

  const std::uint64_t left = limits_.shape_numbers - numbers_;
  const MeshFileLimits caps{.bytes = limits_.bytes,
                            .vertices = std::min(left / 3, MeshFileLimits{}.vertices),
                            .triangles = std::min(left / 3, MeshFileLimits{}.triangles)};
  Surface surface = made([&] { return load_surface(file, caps); }, at);
  if (options_.meshes != nullptr) options_.meshes->push_back(file);
  count(3 * (surface.vertices.size() + surface.triangles.size()), at);
  for (Vec3& p : surface.vertices) p = {scale * p.x, scale * p.y, scale * p.z};
  const Geometry shape = [&]() -> Geometry {
    if constexpr (std::is_same_v<Shape, ConvexHull>) {
      return shared(hulls_, made([&] { return ConvexHull(surface.vertices); }, at));
    } else {
      return shared(meshes_, made([&] { return TriangleMesh(surface.vertices, surface.triangles); }, at));
    }
  }();
  return of_file_.emplace(key, shape).first->second;
}

}  // namespace cairn::scene_file
