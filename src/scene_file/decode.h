#pragma once
// From JSON values to the parts of a scene.

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cairn/scene_file.h"
#include "src/scene/rules.h"
#include "src/scene/text.h"
#include "src/scene_file/node.h"
#include "src/scene_file/read_attributes.h"
#include "src/scene_file/read_geometry.h"

namespace cairn::scene_file {

/// Throws the message of a rule, at the place of the fault.
[[noreturn]] void refuse(const Path& path, const rules::Fault& fault);

/// A struct with rules.
template <Described T>
T read_checked(const Node& node, const Path& path) {
  const T made = read_described<T>(node, path);
  if (const auto fault = rules::find_fault(made)) refuse(path, *fault);
  return made;
}

/// The only one of these words that is a key of the object; there must be exactly one.
std::size_t only_one_of(const Fields& fields, std::span<const std::string_view> words, const Path& path);

/// The thing that a file refers to by name, or by # and its place from 0 ("#12") if it has no name: bodies in the order
/// of the scene, joints in that of the list.
std::optional<std::uint32_t> referenced_body(const Scene& scene, const std::string& name);
std::optional<std::uint32_t> referenced_joint(const Scene& scene, const std::string& name);

/// Message for a missing thing: "no body is named "a"", "there is no body 7 without a name".
std::string missing(const std::string& kind, const std::string& name);

/// The body that a file refers to; `kind` names what it may be in the error if there is none.
std::uint32_t require_body(const Scene& scene, const std::string& name, const Path& path, const char* kind = "body");

/// Refuses more than so many things.
void cap(std::uint64_t count, std::uint64_t most, const char* things, const Path& path);

/// Refuses the name of the thing at `path`: that at `first` has it.
[[noreturn]] void refuse_name(const Path& path, const std::string& name, const std::string& first);

/// Moves the elements of a list, which were read before the object that has it, into the member.
template <class S, class T, std::vector<T> S::*kMember>
void take_read(const Fields& fields, const Attribute<kMember>& attribute, std::vector<T>& read, S& to) {
  fields.require_list(attribute.key());
  to.*kMember = std::exchange(read, {});
  (to.*kMember).shrink_to_fit();
}

/// Place of the scene's body in the file: "/bodies/3", or its link.
std::string place_of_body(const Scene& scene, std::uint32_t body);

/// Collects a file's parts as they are read, and makes a scene of them. Materials may follow the bodies that use them,
/// so names are looked up at the end.
class Decoder {
 public:
  Decoder(const Path& root, const SceneFileLimits& limits, const SceneFileOptions& options)
      : root_(root), limits_(limits), options_(options), geometries_(limits, options) {}

  void material(const Node& node, const Path& path);
  void shape(const Node& node, const Path& path);       ///< of the next body or link
  void point_mass(const Node& node, const Path& path);  ///< of the next body
  void body(const Node& node, const Path& path);
  void link(const Node& node, const Path& path);      ///< of the next articulation
  void coupling(const Node& node, const Path& path);  ///< of the next articulation
  void term(const Node& node, const Path& path);      ///< of the next coupling
  void articulation(const Node& node, const Path& path);
  void count(std::uint64_t numbers, const Path& path) { geometries_.count(numbers, path); }
  void constraint(const Node& node, const Path& path);  ///< of the next particles
  void attachment(const Node& node, const Path& path);  ///< of the next particles
  void particles(const Node& node, const Path& path);
  void joint(const Node& node, const Path& path);
  void spring(const Node& node, const Path& path);  ///< of the next field
  void field(const Node& node, const Path& path);
  void camera(const Node& node, const Path& path);
  void ignore(const Node& node, const Path& path);

  /// The rest of the file, with the lists already taken.
  Scene finish(const Node& root);

 private:
  /// A name of a material in use.
  struct Use {
    std::string name;
    std::string pointer;  ///< of its first use
  };

  struct PlacedArticulation {
    Articulation articulation;
    ArticulationState start;
    std::optional<std::uint32_t> first_body;  ///< [1] bodies before its links' bodies; empty: all
  };

  /// A coupling, and the names of its links, which may follow it.
  struct NamedTerm {
    std::string link;
    CouplingTerm term;
  };
  struct NamedCoupling {
    ArticulationCoupling coupling;
    std::vector<NamedTerm> terms;
  };

  struct PlacedParticles {
    ParticleSet set;
    std::vector<std::string> held_by;         ///< names of the attachments' bodies
    std::optional<std::uint32_t> first_body;  ///< [1] bodies before its particles; empty: all
  };

  /// A joint, and the names of its bodies or joints, which may follow it.
  struct NamedJoint {
    Joint joint;
    std::array<std::optional<std::string>, 2> ends;  ///< empty: the world
  };

  /// A field, and the names of its bodies.
  struct NamedField {
    fields::Any law;
    std::vector<std::array<std::string, 2>> ends;  ///< of springs
    std::optional<std::vector<std::string>> bodies, particles;
  };

  /// A camera, and the name of the body that it follows.
  struct NamedCamera {
    SceneCamera camera;
    std::optional<std::string> follow;
  };

  const Path& root_;
  const SceneFileLimits& limits_;
  const SceneFileOptions& options_;
  GeometryReader geometries_;
  std::vector<Material> materials_;
  std::vector<Body> bodies_;
  std::vector<PlacedArticulation> articulations_;
  std::vector<PlacedParticles> particles_;
  std::vector<NamedJoint> joints_;
  std::vector<NamedField> fields_;
  std::vector<NamedCamera> cameras_;
  std::vector<std::array<std::string, 2>> ignored_;  ///< names of bodies
  std::vector<Shape> shapes_;                        ///< of the body or link being read
  std::vector<PointMass> point_masses_;
  std::vector<ArticulationLink> links_;                     ///< of the articulation being read
  std::vector<NamedTerm> terms_;                            ///< of the coupling being read
  std::vector<NamedCoupling> couplings_;                    ///< of the articulation being read
  std::vector<ConstraintGroup> constraints_;                ///< of the particles being read
  std::vector<Attachment> attachments_;                     ///< the same
  std::vector<std::string> held_by_;                        ///< the same
  fields::Springs springs_;                                 ///< of the field being read
  std::vector<std::array<std::string, 2>> spring_ends_;     ///< the same
  std::unordered_map<std::string, std::uint32_t> link_of_;  ///< name to index, the same
  std::size_t shape_count_{0}, link_count_{0};              ///< [1] so far
  std::uint64_t pair_count_{0};                             ///< [1] of bodies that ignore each other, so far
  std::size_t other_bodies_{0};                             ///< [1] of links and particles in the scene so far
  std::size_t particle_count_{0};                           ///< [1] so far
  std::size_t next_body_{0};                                ///< [1] index of the next one to add to the scene
  std::vector<Use> uses_;                                   ///< Shape::material is an index of this list until finish()
  std::unordered_map<std::string, std::uint32_t> use_of_;

  std::uint32_t use(const std::string& material_name, const Path& path);
  std::uint32_t read_material(const Fields& fields, const Path& path);
  Inertia inertia(const Node& node, const Path& path);
  void repair(Inertia& inertia, const Path& path);
  void tell(const Path& path, const std::string& what);
  static std::uint32_t body_named(const Scene& scene, const std::optional<std::string>& name, const Path& path);
  /// Adds the bodies of the list before the index.
  void add_bodies(Scene& scene, const std::vector<std::uint32_t>& material_of_use, std::size_t end);
  /// Adds the bodies before a thing whose own bodies come next.
  void add_bodies_before(Scene& scene, const std::vector<std::uint32_t>& material_of_use,
                         const std::optional<std::uint32_t>& first_body, const Path& path);
  /// Adds articulations and particles, in the order of their bodies, with the bodies before them.
  void add_placed(Scene& scene, const std::vector<std::uint32_t>& material_of_use);
  std::vector<ArticulationCoupling> take_couplings(const Path& list);
  void add_articulation(Scene& scene, const std::vector<std::uint32_t>& material_of_use, std::size_t k);
  void add_particles(Scene& scene, const std::vector<std::uint32_t>& material_of_use, std::size_t k);
  void add_joints(Scene& scene);
  void add_fields(Scene& scene);
  void add_cameras(Scene& scene);
  void add_ignored(Scene& scene);
  void add_materials(Scene& scene, std::vector<std::uint32_t>& material_of_use);
};

}  // namespace cairn::scene_file
