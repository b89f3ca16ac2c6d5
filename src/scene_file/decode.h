#pragma once
// From JSON values to the parts of a scene.

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cairn/scene_file.h"
#include "src/scene/rules.h"
#include "src/scene_file/geometry.h"
#include "src/scene_file/node.h"

namespace cairn::scene_file {

/// Throws what a rule says, at the place where it is broken.
[[noreturn]] void refuse(const Path& path, const rules::Fault& fault);

/// Takes a file's parts as they are read, and makes a scene of them. Materials may stand behind the bodies that use
/// them, so names are looked up at the end.
class Decoder {
 public:
  Decoder(const Path& root, const SceneFileLimits& limits, const SceneFileOptions& options)
      : root_(root), limits_(limits), options_(options), geometries_(limits, options) {}

  void material(const Node& node, const Path& path);
  void shape(const Node& node, const Path& path);  ///< of the body that comes next
  void point_mass(const Node& node, const Path& path);  ///< of the body that comes next
  void body(const Node& node, const Path& path);
  void count(std::uint64_t numbers, const Path& path) { geometries_.count(numbers, path); }
  void joint(const Node& node, const Path& path);
  void ignore(const Node& node, const Path& path);

  /// The rest of the file, with the lists already taken.
  Scene finish(const Node& root);

 private:
  /// A name of a material in use, and the shape that used it first.
  struct Use {
    std::string name;
    std::size_t body;
    std::size_t shape;
  };

  /// A joint, and the names of its bodies or of the joints that it follows, which may stand behind it.
  struct NamedJoint {
    Joint joint;
    std::array<std::optional<std::string>, 2> ends;  ///< none: the world
  };

  const Path& root_;
  const SceneFileLimits& limits_;
  const SceneFileOptions& options_;
  GeometryReader geometries_;
  std::vector<Material> materials_;
  std::vector<Body> bodies_;
  std::vector<NamedJoint> joints_;
  std::vector<std::array<std::string, 2>> ignored_;  ///< names of bodies
  std::vector<Shape> shapes_;  ///< of the body being read
  std::vector<PointMass> point_masses_;
  std::size_t shape_count_{0};
  std::vector<Use> uses_;  ///< Shape::material is an index of this list until finish()
  std::unordered_map<std::string, std::uint32_t> use_of_;

  std::uint32_t use(const std::string& material_name);
  Inertia inertia(const Node& node, const Path& path);
  void repair(Body& body, const Path& path);
  void tell(const Path& path, const std::string& what);
  static std::uint32_t body_named(const Scene& scene, const std::optional<std::string>& name, const Path& path);
  void add_joints(Scene& scene);
  void add_ignored(Scene& scene);
  void add_materials(Scene& scene, std::vector<std::uint32_t>& material_of_use);
};

}  // namespace cairn::scene_file
