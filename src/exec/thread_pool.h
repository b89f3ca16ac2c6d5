#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace cairn::exec {

/// Runs chunks of a loop on a fixed set of threads. Which thread takes which chunk never changes a result.
class ThreadPool {
 public:
  /// 1..256 threads, the caller's included.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// body(begin, end) over [0, n) in chunks of at least `grain`; returns when all are done. The body must not throw.
  template <class F>
  void run(std::uint32_t n, std::uint32_t grain, F&& body) {
    if (n == 0) return;
    if (workers_.empty() || n <= grain) {
      body(0u, n);
      return;
    }
    using Body = std::remove_reference_t<F>;
    call_ = [](void* f, std::uint32_t begin, std::uint32_t end) { (*static_cast<Body*>(f))(begin, end); };
    run_chunks(n, grain, const_cast<void*>(static_cast<const void*>(&body)));
  }

 private:
  /// The chunks of a loop that a thread takes before it helps others: the same part of [0, n) in every loop over n, so that what a
  /// thread wrote in one loop is in its cache in the next.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> left{0};  ///< [1] epoch << 32 | first chunk << 16 | one past the last
  };

  void run_chunks(std::uint32_t n, std::uint32_t grain, void* context);
  std::uint32_t work(std::uint32_t epoch, std::uint32_t thread);
  std::uint32_t work_off(std::uint32_t epoch, Share& share, bool own);
  void loop(std::uint32_t thread);

  std::vector<Share> shares_;
  std::vector<std::thread> workers_;
  // the loop in flight: written before its shares are out, read by those who hold a chunk of it
  void (*call_)(void*, std::uint32_t, std::uint32_t){nullptr};
  void* context_{nullptr};
  std::uint32_t n_{0}, chunk_{1};
  alignas(64) std::atomic<std::uint32_t> done_{0};   ///< [1] chunks that workers have run
  alignas(64) std::atomic<std::uint32_t> epoch_{0};  ///< [1] loops so far; what idle workers wait on
  std::atomic<bool> stop_{false};
};

}  // namespace cairn::exec
