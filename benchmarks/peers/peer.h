#pragma once
// Interface of the engines in the comparison: hold a scene, step it, show its bodies. One driver file per engine
// implements it, peer_main.cpp times it and writes the poses, and quality_main.cpp judges the poses of all engines by
// the same rules.

#include <memory>
#include <string>
#include <vector>

#include "cairn/scene.h"

namespace cairn::peers {

/// A body as every engine of the comparison can hold it: one shape, centred on the body's origin.
struct PeerBody {
  Geometry geometry;  ///< box, sphere, or (static only) plane
  bool dynamic{false};
  double mass{0};         ///< [kg]     0 for static bodies
  Vec3d inertia;          ///< [kg m^2] along the body's axes
  double friction{0};     ///< [1]      the material's; pairs mix by the geometric mean, as in Cairn
  double restitution{0};  ///< [1]
  BodyState start;        ///< [m, 1, m/s, rad/s] world
};

/// Copies of a scene's dynamic bodies side by side on its static ones, for engines that hold one world.
Scene tiled(const Scene& scene, int copies);

/// The bodies of a scene in its order. Throws InvalidArgument if an engine can't hold one of them.
std::vector<PeerBody> peer_bodies(const Scene& scene);

/// An engine that holds a scene, at the engine's own defaults, with sleeping off.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual void step(double dt) = 0;
  virtual std::vector<BodyState> states() const = 0;                ///< in the scene's order
  virtual std::vector<std::string> warnings() const { return {}; }  ///< the engine's warnings so far
};

/// Defined by each driver, once per executable. Copies are worlds of a batch, or tiled.
std::unique_ptr<Peer> make_peer(const Scene& scene, int copies, int threads);
std::string peer_name();
std::string peer_version();  ///< version, precision and build, for the table
int peer_max_threads();      ///< max threads that this build of the engine can use for a step

}  // namespace cairn::peers
