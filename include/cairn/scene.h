#pragma once
// The host description of a scene: SI units, right-handed, any axis may be up (the built-in scenes take z).

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cairn/errors.h"
#include "cairn/filter.h"
#include "cairn/geometry.h"
#include "cairn/joint.h"
#include "cairn/params.h"
#include "cairn/types.h"

namespace cairn {

struct Material {
  std::string name;              ///< unique, not empty
  float density{0};              ///< [kg/m^3] over 0 where a body takes its mass from it; 0 means "not given"
  float friction{0.6f};          ///< [1]      Coulomb coefficient, 0..1e6
  float restitution{0};          ///< [1]      0..1
  float rolling_friction{0};     ///< [m]      lever arm of the rolling resistance moment, 0..1e6
  friend bool operator==(const Material&, const Material&) = default;
};

struct Shape {
  Geometry geometry{Sphere{}};
  Vec3 position;               ///< [m] in the body's frame
  Quat orientation;            ///< [1] shape to body, unit (made unit; a zero quaternion is refused)
  std::uint32_t material{0};   ///< index of Scene::materials()
  Filter filter;
  bool sensor{false};          ///< tells what overlaps it, pushes nothing and weighs nothing
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Inertia about the centre of mass, along the body's own axes: the tensor ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)).
/// Its principal moments must be over 0, and none above the sum of the other two; `repaired` of cairn/mass.h mends what
/// breaks that.
struct Inertia {
  Vec3 moments;   ///< [kg m^2] xx, yy, zz
  Vec3 products;  ///< [kg m^2] xy, xz, yz: minus the integrals of x y, x z and y z over the mass
  friend bool operator==(const Inertia&, const Inertia&) = default;
};

struct PointMass {
  float mass{0};  ///< [kg] over 0
  Vec3 position;  ///< [m]  in the body's frame
  friend bool operator==(const PointMass&, const PointMass&) = default;
};

struct Body {
  std::string name;  ///< unique, not empty
  BodyType type{BodyType::kDynamic};
  Vec3d position;    ///< [m] |x| at most 1e7
  Quat orientation;
  Vec3 linear_velocity;   ///< [m/s]
  Vec3 angular_velocity;  ///< [rad/s] its length times the bounding radius about the centre of mass at most 1e5 m/s
  std::vector<Shape> shapes;       ///< at least one
  std::optional<float> mass;       ///< [kg]     of all of the body, over 0; wins over density
  std::optional<float> density;    ///< [kg/m^3] over 0; wins over the materials'
  std::optional<Inertia> inertia;  ///< of all of the body; needs `mass`; without it, from the shapes and point masses
  float linear_damping{0};         ///< [1/s] v' = -c v, at least 0
  float angular_damping{0};        ///< [1/s] at least 0
  std::optional<Vec3> centre_of_mass;  ///< [m] in the body's frame; needs `inertia`; without it, from the shapes too
  std::vector<PointMass> point_masses; ///< mass beside that of the shapes; part of `mass` where that is given
  /// Looked after from a quarter of its smallest half extent a step on, so that it passes through nothing; other bodies
  /// are from all of it on (docs/pipeline.md, stop).
  bool fast{false};
  friend bool operator==(const Body&, const Body&) = default;
};

/// Two bodies of a scene.
struct BodyPair {
  std::uint32_t a{0}, b{0};  ///< [1] indices, a < b
  friend bool operator==(const BodyPair&, const BodyPair&) = default;
};

/// Validates as it is built: a call that throws InvalidArgument has changed nothing.
class Scene {
 public:
  std::string name;

  /// Adds a material and returns its index. The first index is 0. A scene without materials has one, "default".
  std::uint32_t add_material(Material material);

  /// Adds a body and returns its index. Its slot in a World made from this scene is the same.
  std::uint32_t add_body(Body body);

  /// Adds a joint and returns its index. Its slot in a World made from this scene is the same. The poses of its bodies
  /// are taken as they are: what they lack is made good by the solver.
  std::uint32_t add_joint(Joint joint);

  /// Bodies, by index, that never touch each other. Throws InvalidArgument unless there are two such.
  void ignore(std::uint32_t body_a, std::uint32_t body_b);

  void set_gravity(Vec3 gravity);          ///< [m/s^2] finite; the default is (0, 0, -9.81)
  void set_params(const StepParams& params);
  void set_limits(const Limits& limits);

  const std::vector<Material>& materials() const { return materials_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<BodyPair>& ignored() const { return ignored_; }  ///< each pair once, in the order of the calls
  Vec3 gravity() const { return gravity_; }
  const StepParams& params() const { return params_; }
  const Limits& limits() const { return limits_; }

  /// Index of a body by name, if there is one.
  std::optional<std::uint32_t> find_body(const std::string& body_name) const;
  std::optional<std::uint32_t> find_joint(const std::string& joint_name) const;  ///< likewise

 private:
  std::vector<Material> materials_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<BodyPair> ignored_;
  std::unordered_set<std::uint64_t> is_ignored_;  ///< a << 32 | b of each
  Vec3 gravity_{0, 0, -9.81f};
  StepParams params_;
  Limits limits_;
  std::unordered_map<std::string, std::uint32_t> body_of_;      ///< name to index
  std::unordered_map<std::string, std::uint32_t> material_of_;  ///< name to index
  std::unordered_map<std::string, std::uint32_t> joint_of_;     ///< name to index
};

/// Mass, centre of mass and principal inertia of a body, as the solver uses them.
struct MassProperties {
  double mass{0};         ///< [kg]
  Vec3d centre_of_mass;   ///< [m]      in the body's frame
  Vec3d moments;          ///< [kg m^2] principal, about the centre of mass
  QuatT<double> axes;     ///< [1]      principal frame to body frame
};

/// Closed forms for each shape, put together by the parallel-axis theorem. Static and kinematic bodies give mass 0.
MassProperties mass_properties(const Body& body, const std::vector<Material>& materials);

/// Throw InvalidArgument, naming `what`, the rule and the value.
void validate(const Material& material, const std::string& what);
void validate(const Body& body, const std::vector<Material>& materials, const std::string& what);
void validate(const StepParams& params);
void validate(const Limits& limits);

}  // namespace cairn
