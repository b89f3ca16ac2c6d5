// Bullet 3.24 at its defaults: sequential impulses, 10 iterations, split impulse, box margin inside the shape.

#include <btBulletDynamicsCommon.h>
#if CAIRN_PEERS_BULLET_THREADS
#include <BulletCollision/CollisionDispatch/btCollisionDispatcherMt.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolverMt.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>
#include <LinearMath/btThreads.h>
#endif

#include <cmath>

#include "benchmarks/peers/peer.h"

namespace cairn::peers {

namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }

Vec3 to_vec3(const btVector3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }

std::unique_ptr<btCollisionShape> to_shape(const Geometry& geometry) {
  if (const Box* box = std::get_if<Box>(&geometry)) return std::make_unique<btBoxShape>(to_bullet(box->half_extents));
  if (const Sphere* sphere = std::get_if<Sphere>(&geometry)) return std::make_unique<btSphereShape>(sphere->radius);
  const Plane& plane = std::get<Plane>(geometry);
  const double length = std::hypot(plane.normal.x, plane.normal.y, plane.normal.z);
  return std::make_unique<btStaticPlaneShape>(to_bullet(plane.normal) / btScalar(length), btScalar(plane.offset));
}

class BulletPeer final : public Peer {
 public:
  BulletPeer(const Scene& scene, [[maybe_unused]] int threads) {
#if CAIRN_PEERS_BULLET_THREADS
    // left to the end of the process: its destructor frees memory that a worker still reads (seen with 3.24)
    btITaskScheduler* scheduler = btCreateDefaultTaskScheduler();
    scheduler->setNumThreads(threads);
    btSetTaskScheduler(scheduler);
    dispatcher_ = std::make_unique<btCollisionDispatcherMt>(&configuration_);
    auto pool = std::make_unique<btConstraintSolverPoolMt>(threads);
    large_islands_ = std::make_unique<btSequentialImpulseConstraintSolverMt>();
    world_ = std::make_unique<btDiscreteDynamicsWorldMt>(dispatcher_.get(), &broadphase_, pool.get(),
                                                         large_islands_.get(), &configuration_);
    solver_ = std::move(pool);
#else
    dispatcher_ = std::make_unique<btCollisionDispatcher>(&configuration_);
    solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
    world_ = std::make_unique<btDiscreteDynamicsWorld>(dispatcher_.get(), &broadphase_, solver_.get(), &configuration_);
#endif
    world_->setGravity(to_bullet(scene.gravity()));
    for (const PeerBody& body : peer_bodies(scene)) add(body);
  }

  ~BulletPeer() override {
    for (auto& body : bodies_) world_->removeRigidBody(body.get());
  }

  // no substeps of Bullet's own: one step of exactly dt
  void step(double dt) override { world_->stepSimulation(btScalar(dt), 0); }

  std::vector<BodyState> states() const override {
    std::vector<BodyState> out;
    out.reserve(bodies_.size());
    for (const auto& body : bodies_) {
      const btTransform& pose = body->getWorldTransform();
      const btVector3& x = pose.getOrigin();
      const btQuaternion q = pose.getRotation();
      out.push_back({{x.x(), x.y(), x.z()},
                     {float(q.x()), float(q.y()), float(q.z()), float(q.w())},
                     to_vec3(body->getLinearVelocity()),
                     to_vec3(body->getAngularVelocity())});
    }
    return out;
  }

 private:
  void add(const PeerBody& body) {
    shapes_.push_back(to_shape(body.geometry));
    btRigidBody::btRigidBodyConstructionInfo info(
        btScalar(body.mass), nullptr, shapes_.back().get(),
        btVector3(btScalar(body.inertia.x), btScalar(body.inertia.y), btScalar(body.inertia.z)));
    const BodyState& s = body.start;
    info.m_startWorldTransform.setOrigin({btScalar(s.position.x), btScalar(s.position.y), btScalar(s.position.z)});
    info.m_startWorldTransform.setRotation({s.orientation.x, s.orientation.y, s.orientation.z, s.orientation.w});
    // Bullet multiplies the two frictions; the square root makes a pair's product Cairn's geometric mean
    info.m_friction = btScalar(std::sqrt(body.friction));
    info.m_restitution = btScalar(body.restitution);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& made = *bodies_.back();
    made.setLinearVelocity(to_bullet(s.linear_velocity));
    made.setAngularVelocity(to_bullet(s.angular_velocity));
    if (body.dynamic) made.setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(&made);
  }

#if CAIRN_PEERS_BULLET_THREADS
  std::unique_ptr<btSequentialImpulseConstraintSolverMt> large_islands_;
#endif
  btDefaultCollisionConfiguration configuration_;
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  std::unique_ptr<btConstraintSolver> solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<Peer> make_peer(const Scene& scene, int copies, int threads) {
  return std::make_unique<BulletPeer>(tiled(scene, copies), threads);
}
std::string peer_name() { return "bullet"; }
std::string peer_version() {
  const int version = btGetVersion();
  return std::to_string(version / 100) + "." + std::to_string(version % 100) + ", " + CAIRN_PEERS_BULLET_BUILD;
}
int peer_max_threads() { return CAIRN_PEERS_BULLET_THREADS ? 64 : 1; }

}  // namespace cairn::peers
