// The Open Dynamics Engine at its defaults: dWorldQuickStep, 20 iterations, ERP 0.2; friction as a coefficient, by a
// pyramid.

#include <cmath>

#include <ode/ode.h>

#include "benchmarks/peers/peer.h"

namespace cairn::peers {

namespace {

constexpr int kMaxContacts = 8;  ///< [1] per pair; two box faces clip to at most 8 points

class OdePeer final : public Peer {
 public:
  OdePeer(const Scene& scene, int threads) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    const Vec3 g = scene.gravity();
    dWorldSetGravity(world_, g.x, g.y, g.z);
    dWorldSetAutoDisableFlag(world_, 0);
    if (threads > 1) serve_threads(threads);
    parts_.reserve(scene.bodies().size());
    for (const PeerBody& body : peer_bodies(scene)) add(body);
  }

  ~OdePeer() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    if (threading_) {
      dThreadingImplementationShutdownProcessing(threading_);
      dThreadingFreeThreadPool(pool_);
      dThreadingFreeImplementation(threading_);
    }
    dCloseODE();
  }

  void step(double dt) override {
    dSpaceCollide(space_, this, &OdePeer::near);
    dWorldQuickStep(world_, dReal(dt));
    dJointGroupEmpty(contacts_);
  }

  std::vector<BodyState> states() const override {
    std::vector<BodyState> out;
    out.reserve(parts_.size());
    for (const Part& part : parts_) {
      if (!part.body) {
        out.push_back(part.start);
        continue;
      }
      const dReal* x = dBodyGetPosition(part.body);
      const dReal* q = dBodyGetQuaternion(part.body);  // scalar first
      const dReal* v = dBodyGetLinearVel(part.body);
      const dReal* w = dBodyGetAngularVel(part.body);
      out.push_back({{x[0], x[1], x[2]},
                     {float(q[1]), float(q[2]), float(q[3]), float(q[0])},
                     {float(v[0]), float(v[1]), float(v[2])},
                     {float(w[0]), float(w[1]), float(w[2])}});
    }
    return out;
  }

 private:
  struct Part {
    dBodyID body{nullptr};  ///< null for static bodies
    double friction{0};     ///< [1]
    double restitution{0};  ///< [1]
    BodyState start;
  };

  void add(const PeerBody& body) {
    parts_.push_back({nullptr, body.friction, body.restitution, body.start});
    Part& part = parts_.back();
    const BodyState& s = body.start;
    const dQuaternion q{s.orientation.w, s.orientation.x, s.orientation.y, s.orientation.z};

    dGeomID geom = nullptr;
    if (const Box* box = std::get_if<Box>(&body.geometry)) {
      const Vec3 h = box->half_extents;
      geom = dCreateBox(space_, 2 * dReal(h.x), 2 * dReal(h.y), 2 * dReal(h.z));
    } else if (const Sphere* sphere = std::get_if<Sphere>(&body.geometry)) {
      geom = dCreateSphere(space_, sphere->radius);
    } else {
      const Plane& plane = std::get<Plane>(body.geometry);
      // ODE takes the plane's equation in the world, with a unit normal
      const double length = std::hypot(plane.normal.x, plane.normal.y, plane.normal.z);
      geom =
          dCreatePlane(space_, plane.normal.x / length, plane.normal.y / length, plane.normal.z / length, plane.offset);
    }
    dGeomSetData(geom, reinterpret_cast<void*>(parts_.size() - 1));
    if (!body.dynamic) {
      if (std::holds_alternative<Plane>(body.geometry)) return;
      dGeomSetPosition(geom, s.position.x, s.position.y, s.position.z);
      dGeomSetQuaternion(geom, q);
      return;
    }
    part.body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, body.inertia.x, body.inertia.y, body.inertia.z, 0, 0, 0);
    dBodySetMass(part.body, &mass);
    dGeomSetBody(geom, part.body);
    dBodySetPosition(part.body, s.position.x, s.position.y, s.position.z);
    dBodySetQuaternion(part.body, q);
    dBodySetLinearVel(part.body, s.linear_velocity.x, s.linear_velocity.y, s.linear_velocity.z);
    dBodySetAngularVel(part.body, s.angular_velocity.x, s.angular_velocity.y, s.angular_velocity.z);
  }

  static void near(void* self, dGeomID a, dGeomID b) { static_cast<OdePeer*>(self)->collide(a, b); }

  void collide(dGeomID a, dGeomID b) {
    const Part& part_a = parts_[reinterpret_cast<std::size_t>(dGeomGetData(a))];
    const Part& part_b = parts_[reinterpret_cast<std::size_t>(dGeomGetData(b))];
    if (!part_a.body && !part_b.body) return;
    dContactGeom points[kMaxContacts];
    const int count = dCollide(a, b, kMaxContacts, points, sizeof(dContactGeom));
    for (int i = 0; i < count; ++i) {
      dContact contact{};
      contact.geom = points[i];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = std::sqrt(part_a.friction * part_b.friction);
      const double restitution = std::max(part_a.restitution, part_b.restitution);
      if (restitution > 0) {
        contact.surface.mode |= dContactBounce;
        contact.surface.bounce = restitution;
      }
      dJointAttach(dJointCreateContact(world_, contacts_, &contact), part_a.body, part_b.body);
    }
  }

  void serve_threads(int threads) {
    threading_ = dThreadingAllocateMultiThreadedImplementation();
    pool_ = dThreadingAllocateThreadPool(unsigned(threads), 0, dAllocateFlagBasicData, nullptr);
    if (!threading_ || !pool_) throw Error("ODE: this build has no thread pool");
    dThreadingThreadPoolServeMultiThreadedImplementation(pool_, threading_);
    dWorldSetStepIslandsProcessingMaxThreadCount(world_, unsigned(threads));
    dWorldSetStepThreadingImplementation(world_, dThreadingImplementationGetFunctions(threading_), threading_);
  }

  dWorldID world_{nullptr};
  dSpaceID space_{nullptr};
  dJointGroupID contacts_{nullptr};
  dThreadingImplementationID threading_{nullptr};
  dThreadingThreadPoolID pool_{nullptr};
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Peer> make_peer(const Scene& scene, int copies, int threads) {
  return std::make_unique<OdePeer>(tiled(scene, copies), threads);
}
std::string peer_name() { return "ode"; }
std::string peer_version() {
  return std::string(CAIRN_PEERS_ODE_VERSION) + ", packaged, " + (sizeof(dReal) == 8 ? "double" : "single");
}
int peer_max_threads() { return 64; }

}  // namespace cairn::peers
