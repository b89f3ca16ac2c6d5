#pragma once
// Memory that outlives its release while a user keeps it.

#include <memory>
#include <new>
#include <vector>

namespace cairn::exec {

/// Blocks that were released while they were kept. The last keeper frees them, from any thread.
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
      // leaked: freeing it would take it from its readers
    }
  }

 private:
  void (*free_)(void*);
  std::vector<void*> blocks_;
};

/// A Memory whose blocks may be kept. The World's thread makes both calls.
class KeptMemory {
 public:
  explicit KeptMemory(void (*free)(void*)) : free_(free) {}
  /// No present block is freed while the returned pointer lives.
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
