// Cairn through its public API, with the scene's solver and substeps.

#include "benchmarks/peers/peer.h"
#include "cairn/version.h"
#include "cairn/world.h"

namespace cairn::peers {

namespace {

class CairnPeer final : public Peer {
 public:
  CairnPeer(const Scene& scene, int copies, int threads)
      : world_(World::copies(scene, static_cast<std::uint32_t>(copies), {.device = Device::cpu(threads)})) {}

  void step(double dt) override { world_.step(static_cast<float>(dt)); }

  std::vector<BodyState> states() const override {
    std::vector<BodyState> out(world_.body_count());
    world_.read_states(out);
    return out;
  }

  std::vector<std::string> warnings() const override { return status_names(world_.report().status); }

 private:
  World world_;
};

}  // namespace

std::unique_ptr<Peer> make_peer(const Scene& scene, int copies, int threads) {
  return std::make_unique<CairnPeer>(scene, copies, threads);
}
std::string peer_name() { return "cairn"; }
std::string peer_version() { return std::string(kVersion) + ", numerics " + std::to_string(kNumericsVersion); }
int peer_max_threads() { return 256; }

}  // namespace cairn::peers
