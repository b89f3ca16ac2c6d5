// Jolt Physics at its defaults: sequential impulses, 10 velocity and 2 position steps.

#include <Jolt/Jolt.h>
// its own header comes first

#include <algorithm>
#include <cmath>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/JobSystemThreadPool.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include "benchmarks/peers/peer.h"

namespace cairn::peers {

namespace {

constexpr float kPlaneExtent = 500.0f;  // [m] a box of that width, 2 m thick, replaces a plane
constexpr JPH::uint kPairs = 65536, kTempBytes = 256u << 20;

// one layer for static bodies, the other for moving ones
struct Layers final : JPH::BroadPhaseLayerInterface {
  JPH::uint GetNumBroadPhaseLayers() const override { return 2; }
  JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer layer) const override {
    return JPH::BroadPhaseLayer(JPH::BroadPhaseLayer::Type(layer));
  }
};
struct LayerMeetsBroad final : JPH::ObjectVsBroadPhaseLayerFilter {
  bool ShouldCollide(JPH::ObjectLayer a, JPH::BroadPhaseLayer b) const override {
    return a == 1 || b == JPH::BroadPhaseLayer(1);
  }
};
struct LayersMeet final : JPH::ObjectLayerPairFilter {
  bool ShouldCollide(JPH::ObjectLayer a, JPH::ObjectLayer b) const override { return a == 1 || b == 1; }
};

JPH::Vec3 to_jolt(const Vec3& v) { return {v.x, v.y, v.z}; }

void start_jolt() {
  if (JPH::Factory::sInstance != nullptr) return;
  JPH::RegisterDefaultAllocator();
  JPH::Factory::sInstance = new JPH::Factory();
  JPH::RegisterTypes();
}

class JoltPeer final : public Peer {
 public:
  JoltPeer(const Scene& scene, int threads) {
    start_jolt();
    memory_ = std::make_unique<JPH::TempAllocatorImpl>(kTempBytes);
    if (threads == 1) {
      jobs_ = std::make_unique<JPH::JobSystemSingleThreaded>(JPH::cMaxPhysicsJobs);
    } else {
      jobs_ = std::make_unique<JPH::JobSystemThreadPool>(JPH::cMaxPhysicsJobs, JPH::cMaxPhysicsBarriers, threads - 1);
    }
    const std::vector<PeerBody> bodies = peer_bodies(scene);
    system_ = std::make_unique<JPH::PhysicsSystem>();
    system_->Init(JPH::uint(bodies.size()) + 16, 0, kPairs, kPairs, layers_, layer_meets_broad_, layers_meet_);
    JPH::PhysicsSettings settings;
    settings.mAllowSleeping = false;
    system_->SetPhysicsSettings(settings);
    system_->SetGravity(to_jolt(scene.gravity()));
    for (const PeerBody& body : bodies) add(body);
    system_->OptimizeBroadPhase();
  }

  void step(double dt) override { error_ |= system_->Update(float(dt), 1, memory_.get(), jobs_.get()); }

  std::vector<BodyState> states() const override {
    std::vector<BodyState> out;
    out.reserve(bodies_.size());
    const JPH::BodyInterface& all = system_->GetBodyInterfaceNoLock();
    for (const JPH::BodyID id : bodies_) {
      const JPH::RVec3 x = all.GetPosition(id);
      const JPH::Quat q = all.GetRotation(id);
      JPH::Vec3 v, w;
      all.GetLinearAndAngularVelocity(id, v, w);
      out.push_back({{double(x.GetX()), double(x.GetY()), double(x.GetZ())},
                     {q.GetX(), q.GetY(), q.GetZ(), q.GetW()},
                     {v.GetX(), v.GetY(), v.GetZ()},
                     {w.GetX(), w.GetY(), w.GetZ()}});
    }
    return out;
  }
  std::vector<std::string> warnings() const override {
    if (error_ == JPH::EPhysicsUpdateError::None) return {};
    return {"a buffer was too small (error " + std::to_string(int(error_)) + ")"};
  }

 private:
  void add(const PeerBody& body) {
    const BodyState& s = body.start;
    JPH::RVec3 at(float(s.position.x), float(s.position.y), float(s.position.z));
    JPH::Quat turned(s.orientation.x, s.orientation.y, s.orientation.z, s.orientation.w);
    JPH::Ref<JPH::Shape> shape;
    if (const Box* box = std::get_if<Box>(&body.geometry)) {
      const JPH::Vec3 h = to_jolt(box->half_extents);
      shape = new JPH::BoxShape(h, std::min(JPH::cDefaultConvexRadius, 0.5f * h.ReduceMin()));
    } else if (const Sphere* sphere = std::get_if<Sphere>(&body.geometry)) {
      shape = new JPH::SphereShape(sphere->radius);
    } else {
      const Plane& plane = std::get<Plane>(body.geometry);
      const JPH::Vec3 n = to_jolt(plane.normal).Normalized();
      shape = new JPH::BoxShape(JPH::Vec3(kPlaneExtent, kPlaneExtent, 1.0f));
      at = JPH::RVec3(n * float(plane.offset - 1.0));
      turned = JPH::Quat::sFromTo(JPH::Vec3::sAxisZ(), n);
    }
    JPH::BodyCreationSettings settings(shape, at, turned.Normalized(),
                                       body.dynamic ? JPH::EMotionType::Dynamic : JPH::EMotionType::Static,
                                       JPH::ObjectLayer(body.dynamic ? 1 : 0));
    settings.mFriction = float(body.friction);
    settings.mRestitution = float(body.restitution);
    settings.mLinearVelocity = to_jolt(s.linear_velocity);
    settings.mAngularVelocity = to_jolt(s.angular_velocity);
    settings.mAllowSleeping = false;
    if (body.dynamic) {
      settings.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
      settings.mMassPropertiesOverride.mMass = float(body.mass);
      settings.mMassPropertiesOverride.mInertia =
          JPH::Mat44::sScale(JPH::Vec3(float(body.inertia.x), float(body.inertia.y), float(body.inertia.z)));
    }
    const JPH::EActivation awake = body.dynamic ? JPH::EActivation::Activate : JPH::EActivation::DontActivate;
    bodies_.push_back(system_->GetBodyInterfaceNoLock().CreateAndAddBody(settings, awake));
  }

  Layers layers_;
  LayerMeetsBroad layer_meets_broad_;
  LayersMeet layers_meet_;
  std::unique_ptr<JPH::TempAllocator> memory_;
  std::unique_ptr<JPH::JobSystem> jobs_;
  std::unique_ptr<JPH::PhysicsSystem> system_;
  std::vector<JPH::BodyID> bodies_;
  JPH::EPhysicsUpdateError error_{JPH::EPhysicsUpdateError::None};
};

}  // namespace

std::unique_ptr<Peer> make_peer(const Scene& scene, int copies, int threads) {
  return std::make_unique<JoltPeer>(tiled(scene, copies), threads);
}
std::string peer_name() { return "jolt"; }
std::string peer_version() {
  return std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
         std::to_string(JPH_VERSION_PATCH) + ", built from source for AVX2, link-time optimised, single";
}
int peer_max_threads() { return 64; }

}  // namespace cairn::peers
