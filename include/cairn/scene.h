#pragma once
// The host description of a scene: SI units, right-handed, any axis may be up (the built-in scenes use z).

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cairn/articulation.h"
#include "cairn/attributes.h"
#include "cairn/body.h"
#include "cairn/camera.h"
#include "cairn/errors.h"
#include "cairn/fields.h"
#include "cairn/joint.h"
#include "cairn/params.h"
#include "cairn/particle_set.h"
#include "cairn/types.h"

namespace cairn {

/// Two bodies of a scene.
struct BodyPair {
  std::uint32_t a{0}, b{0};
  friend bool operator==(const BodyPair&, const BodyPair&) = default;
};

template <Same<BodyPair> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::a>({.meaning = "index"}),
                                          attribute<&S::b>({.meaning = "index, over a"})};

/// An articulation of a scene. Each link with shapes is a body, named "articulation/link": dynamic, or static if no
/// joint lets it move.
struct SceneArticulation {
  Articulation description;
  ArticulationState start;
  std::vector<std::uint32_t> bodies;
  friend bool operator==(const SceneArticulation&, const SceneArticulation&) = default;
};

template <Same<SceneArticulation> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::description>({}), attribute<&S::start>({.meaning = "of its joints"}),
    attribute<&S::bodies>({.meaning = "(links) indices; kNoLinkBody where a link has no shapes"})};

/// A force field (docs/fields.md) that acts in every step. Its particles are bodies: at the centre of mass of dynamic
/// bodies, at the origin of others.
struct SceneField {
  fields::Any law;
  std::optional<std::vector<std::uint32_t>> bodies;
  friend bool operator==(const SceneField&, const SceneField&) = default;
};

template <Same<SceneField> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::law>({.meaning = "the particles of springs are bodies of the scene, by index"}),
    attribute<&S::bodies>(
        {.meaning = "indices, ascending, of the bodies that it sees, and acts on where they are dynamic; without a "
                    "list these are all bodies that are dynamic then; springs have none: they act on their ends"})};

/// Validates each call: one that throws InvalidArgument has changed nothing.
class Scene {
 public:
  std::string name;

  /// Adds a material and returns its index. The first index is 0. A scene without materials has one, "default".
  std::uint32_t add_material(Material material);

  /// Adds a body and returns its index. Its slot in a World made from this scene is the same.
  std::uint32_t add_body(Body body);

  /// Adds a joint and returns its index. Its slot in a World made from this scene is the same. The poses of its bodies
  /// stay; the solver corrects their error.
  std::uint32_t add_joint(Joint joint);

  /// Adds an articulation with the bodies of its links, and returns its index. Links ignore each other if they are
  /// fixed together, or if a joint connects them or links that they are fixed to. Shapes use the scene's materials;
  /// links fall by the scene's gravity, not the articulation's.
  std::uint32_t add_articulation(Articulation articulation, ArticulationState start = {});

  /// Adds particles with their bodies, and returns the set's index. Particles that a constraint holds together ignore
  /// each other, as do a particle and the body that it is attached to.
  std::uint32_t add_particles(ParticleSet set);

  /// Adds a force field, one of at most 1,024, and returns its index. Its bodies, which are sorted, must exist, each
  /// once. Bodies of a list need a mass, or shapes and densities that would give them one as dynamic bodies; a plane
  /// has none.
  std::uint32_t add_field(SceneField field);

  /// Adds a camera, one of at most 1,024, and returns its index. The body that it follows must exist. A World has no
  /// cameras: `camera_now` of cairn/picture.h computes a camera's view.
  std::uint32_t add_camera(SceneCamera camera);

  /// Bodies, by index, that never touch each other. Throws InvalidArgument unless both exist and differ.
  void ignore(std::uint32_t body_a, std::uint32_t body_b);

  void set_gravity(Vec3 gravity);  ///< [m/s^2] finite; the default is (0, 0, -9.81)
  void set_params(const StepParams& params);
  void set_limits(const WorldLimits& limits);

  const std::vector<Material>& materials() const { return materials_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<SceneArticulation>& articulations() const { return articulations_; }
  const std::vector<SceneParticles>& particles() const { return particles_; }
  const std::vector<SceneField>& fields() const { return fields_; }
  const std::vector<SceneCamera>& cameras() const { return cameras_; }
  const std::vector<BodyPair>& ignored() const { return ignored_; }  ///< each pair once, in the order of the calls
  Vec3 gravity() const { return gravity_; }
  const StepParams& params() const { return params_; }
  const WorldLimits& limits() const { return limits_; }

  /// Index of a body by name, if there is one.
  std::optional<std::uint32_t> find_body(const std::string& body_name) const;
  std::optional<std::uint32_t> find_joint(const std::string& joint_name) const;                ///< the same
  std::optional<std::uint32_t> find_articulation(const std::string& articulation_name) const;  ///< the same

  std::optional<std::uint32_t> find_particles(const std::string& set_name) const;  ///< the same
  std::optional<std::uint32_t> find_camera(const std::string& camera_name) const;  ///< the same

 private:
  /// Sizes of the lists that additions append to, for going back if one fails.
  struct Mark {
    std::size_t bodies, ignored, materials;
  };
  Mark mark() const { return {bodies_.size(), ignored_.size(), materials_.size()}; }
  void go_back(const Mark& mark);

  std::vector<Material> materials_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<SceneArticulation> articulations_;
  std::vector<SceneParticles> particles_;
  std::vector<SceneField> fields_;
  std::vector<SceneCamera> cameras_;
  std::vector<BodyPair> ignored_;
  std::unordered_set<std::uint64_t> is_ignored_;  ///< a << 32 | b of each
  Vec3 gravity_{0, 0, -9.81f};
  StepParams params_;
  WorldLimits limits_;
  std::unordered_map<std::string, std::uint32_t> body_of_;          ///< name to index
  std::unordered_map<std::string, std::uint32_t> material_of_;      ///< name to index
  std::unordered_map<std::string, std::uint32_t> joint_of_;         ///< name to index
  std::unordered_map<std::string, std::uint32_t> articulation_of_;  ///< name to index
  std::unordered_map<std::string, std::uint32_t> particles_of_;     ///< name to index
};

/// Mass, centre of mass and principal inertia of a body, as the solver uses them.
struct MassProperties {
  double mass{0};
  Vec3d centre_of_mass;
  Vec3d moments;
  QuatT<double> axes;
};

template <Same<MassProperties> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::mass>({.unit = "kg"}), attribute<&S::centre_of_mass>({.unit = "m", .meaning = "in the body's frame"}),
    attribute<&S::moments>({.unit = "kg m^2", .meaning = "principal, about the centre of mass"}),
    attribute<&S::axes>({.meaning = "principal frame to body frame"})};

/// From closed forms for each shape, combined by the parallel-axis theorem. Static and kinematic bodies give mass 0.
MassProperties mass_properties(const Body& body, const std::vector<Material>& materials);

/// Throw InvalidArgument, naming `what`, the rule and the value.
void validate(const Material& material, const std::string& what);
void validate(const Body& body, const std::vector<Material>& materials, const std::string& what);
void validate(const StepParams& params);
void validate(const WorldLimits& limits);

}  // namespace cairn
