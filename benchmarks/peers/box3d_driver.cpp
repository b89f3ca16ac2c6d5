// Box3D at its defaults: soft step, 4 substeps.

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <box3d/box3d.h>

#include "benchmarks/peers/peer.h"

namespace cairn::peers {

namespace {

constexpr int kSubsteps = 4;            // of its samples and benchmarks
constexpr float kPlaneExtent = 500.0f;  // [m] it has no planes: a box of that width, 2 m thick, replaces one

b3Vec3 to_box3d(const Vec3& v) { return {v.x, v.y, v.z}; }
b3Quat to_box3d(const Quat& q) { return {{q.x, q.y, q.z}, q.w}; }

/// The rotation that takes z to a plane's normal.
b3Quat upright(const Vec3& n) {
  const double w = 1.0 + n.z, l = std::hypot(n.x, n.y, w);
  if (l < 1e-6) return {{1, 0, 0}, 0};
  return {{float(-n.y / l), float(n.x / l), 0}, float(w / l)};
}

class Box3dPeer final : public Peer {
 public:
  Box3dPeer(const Scene& scene, int threads) {
    b3WorldDef world = b3DefaultWorldDef();
    world.gravity = to_box3d(scene.gravity());
    world.enableSleep = false;
    world.workerCount = threads;
    world_ = b3CreateWorld(&world);
    if (!b3World_IsValid(world_)) throw std::runtime_error("Box3D makes no world");
    for (const PeerBody& body : peer_bodies(scene)) add(body);
  }
  ~Box3dPeer() override { b3DestroyWorld(world_); }

  void step(double dt) override { b3World_Step(world_, float(dt), kSubsteps); }

  std::vector<BodyState> states() const override {
    std::vector<BodyState> out;
    out.reserve(bodies_.size());
    for (const b3BodyId body : bodies_) {
      const auto x = b3Body_GetPosition(body);
      const b3Quat q = b3Body_GetRotation(body);
      const b3Vec3 v = b3Body_GetLinearVelocity(body), w = b3Body_GetAngularVelocity(body);
      out.push_back(
          {{double(x.x), double(x.y), double(x.z)}, {q.v.x, q.v.y, q.v.z, q.s}, {v.x, v.y, v.z}, {w.x, w.y, w.z}});
    }
    return out;
  }

 private:
  void add(const PeerBody& body) {
    b3BodyDef def = b3DefaultBodyDef();
    const BodyState& s = body.start;
    def.type = body.dynamic ? b3_dynamicBody : b3_staticBody;
    def.position = {float(s.position.x), float(s.position.y), float(s.position.z)};
    def.rotation = to_box3d(s.orientation);
    def.linearVelocity = to_box3d(s.linear_velocity);
    def.angularVelocity = to_box3d(s.angular_velocity);
    def.enableSleep = false;
    b3ShapeDef shape = b3DefaultShapeDef();
    shape.baseMaterial.friction = float(body.friction);
    shape.baseMaterial.restitution = float(body.restitution);
    if (const Plane* plane = std::get_if<Plane>(&body.geometry)) {
      const double l = std::hypot(plane->normal.x, plane->normal.y, plane->normal.z), under = plane->offset - 1.0;
      const Vec3 n{float(plane->normal.x / l), float(plane->normal.y / l), float(plane->normal.z / l)};
      def.position = {float(n.x * under), float(n.y * under), float(n.z * under)};
      def.rotation = upright(n);
      const b3BodyId made = b3CreateBody(world_, &def);
      const b3BoxHull hull = b3MakeBoxHull(kPlaneExtent, kPlaneExtent, 1.0f);
      b3CreateHullShape(made, &shape, &hull.base);
      bodies_.push_back(made);
      return;
    }
    const b3BodyId made = b3CreateBody(world_, &def);
    if (const Box* box = std::get_if<Box>(&body.geometry)) {
      const Vec3& h = box->half_extents;
      shape.density = float(body.mass / (8.0 * h.x * h.y * h.z));
      const b3BoxHull hull = b3MakeBoxHull(h.x, h.y, h.z);
      b3CreateHullShape(made, &shape, &hull.base);
    } else {
      const float radius = std::get<Sphere>(body.geometry).radius;
      shape.density = float(body.mass / (4.0 / 3.0 * std::numbers::pi * radius * radius * radius));
      const b3Sphere sphere{{0, 0, 0}, radius};
      b3CreateSphereShape(made, &shape, &sphere);
    }
    bodies_.push_back(made);
  }

  b3WorldId world_;
  std::vector<b3BodyId> bodies_;
};

}  // namespace

std::unique_ptr<Peer> make_peer(const Scene& scene, int copies, int threads) {
  return std::make_unique<Box3dPeer>(tiled(scene, copies), threads);
}
std::string peer_name() { return "box3d"; }
std::string peer_version() {
  const b3Version version = b3GetVersion();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.revision) +
         ", built from source, -O3 -march=x86-64-v3, single";
}
int peer_max_threads() { return 64; }

}  // namespace cairn::peers
