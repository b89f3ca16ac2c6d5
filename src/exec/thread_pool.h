#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace cairn::exec {

/// Runs chunks of a loop on a fixed set of threads. Which thread takes which chunk never changes a result.
class ThreadPool {
 public:
  /// 1..256 threads, the caller's included. Throws DeviceError if the system refuses one.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Of this machine, within 1..256.
  static int hardware_threads();
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// body(begin, end) over [0, n), split among the threads if n exceeds `grain`; returns when all is done. The body
  /// must neither throw nor run another loop of the pool.
  template <class F>
  void run(std::uint32_t n, std::uint32_t grain, F&& body) {
    if (n == 0) return;
    if (workers_.empty() || n <= grain) {
      body(0u, n);
      return;
    }
    using Body = std::remove_reference_t<F>;
    run_chunks({[](void* f, std::uint32_t begin, std::uint32_t end) { (*static_cast<Body*>(f))(begin, end); },
                const_cast<void*>(static_cast<const void*>(&body)), n});
  }

 private:
  struct Loop {
    void (*call)(void*, std::uint32_t, std::uint32_t){nullptr};
    void* context{nullptr};
    std::uint32_t n{0}, chunk{1};

    void run(std::uint32_t first, std::uint32_t chunks) const {
      const std::uint32_t begin = first * chunk;
      if (begin < n) call(context, begin, std::min(n - begin, chunks * chunk) + begin);
    }
  };
  /// A thread's part of a loop; a thread does its own before it helps others. It is the same part of [0, n) in every
  /// loop over n, so that data a thread wrote in one loop is in its cache in the next. One cache line holds all that a
  /// thread needs to begin.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> left{0};  ///< [1] epoch << 32 | first chunk << 16 | one past the last
    Loop loop;                           // written before `left`, read by the thread while it holds a chunk
  };

  void run_chunks(Loop loop);
  std::uint32_t help(std::uint32_t epoch, const Loop& loop, std::uint32_t thread, std::uint32_t least);
  static std::uint32_t work_off(std::uint32_t epoch, const Loop& loop, Share& share);
  void serve(std::uint32_t thread);
  void publish(std::uint32_t epoch);
  void stop() noexcept;

  std::vector<Share> shares_;
  std::vector<std::thread> workers_;
  alignas(64) std::atomic<std::uint32_t> done_{0};   ///< [1] chunks that workers have run
  alignas(64) std::atomic<std::uint32_t> epoch_{0};  ///< [1] loops so far; sleeping workers wait on it
  std::atomic<bool> stop_{false};
  alignas(64) int patience_;  ///< [1] max spins of the caller while it waits for the others
};

}  // namespace cairn::exec
