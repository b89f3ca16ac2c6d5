#pragma once
// Memory that outlives its release, while somebody outside keeps it.

#include <memory>
#include <new>
#include <vector>

namespace cairn::exec {

/// Blocks that were released while they were kept. They are freed with the last one who keeps them, from any thread.
class Retired {
 public:
  explicit Retired(void (*free)(void*)) : free_(free) {}
  Retired(const Retired&) = delete;
  Retired& operator=(const Retired&) = delete;
  ~Retired() {
    for (void* block : blocks_) free_(block);
  }
  void take(void* block) noexcept {
    try {
      blocks_.push_back(block);
    } catch (const std::bad_alloc&) {
      // lost: to free it would pull it away from who reads it
    }
  }

 private:
  void (*free_)(void*);
  std::vector<void*> blocks_;
};

/// A Memory whose blocks may be kept. Both calls are made by the World's thread.
class KeptMemory {
 public:
  explicit KeptMemory(void (*free)(void*)) : free_(free) {}
  /// While what it returns lives, no block that is there now is freed.
  std::shared_ptr<const void> keep() {
    std::shared_ptr<Retired> retired = retired_.lock();
    if (retired == nullptr) {
      retired = std::make_shared<Retired>(free_);
      retired_ = retired;
    }
    return retired;
  }

 protected:
  ~KeptMemory() = default;
  void give_back(void* block) noexcept {
    if (block == nullptr) return;
    if (const std::shared_ptr<Retired> retired = retired_.lock()) {
      retired->take(block);
    } else {
      free_(block);
    }
  }

 private:
  void (*free_)(void*);
  std::weak_ptr<Retired> retired_;
};

}  // namespace cairn::exec
