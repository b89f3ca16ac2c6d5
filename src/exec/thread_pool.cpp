#include "src/exec/thread_pool.h"

#include "src/exec/exact_floats.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn::exec {
namespace {

// a step has some hundred short loops: spin about this long (a few microseconds to tens of them) before the thread sleeps
constexpr int kSpins = 4000;

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// Waits until `cell` differs from `seen`.
void wait_while(const std::atomic<std::uint32_t>& cell, std::uint32_t seen) {
  for (int i = 0; i < kSpins; ++i) {
    if (cell.load(std::memory_order_acquire) != seen) return;
    pause_briefly();
  }
  while (cell.load(std::memory_order_acquire) == seen) cell.wait(seen, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  workers_.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { loop(); });
}

ThreadPool::~ThreadPool() {
  stop_.store(true, std::memory_order_relaxed);
  epoch_.fetch_add(1, std::memory_order_release);
  epoch_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_chunks(std::uint32_t n, std::uint32_t grain, void* context) {
  context_ = context;
  n_ = n;
  const std::uint32_t threads = static_cast<std::uint32_t>(workers_.size()) + 1;
  // about four chunks a thread, so that a late thread doesn't hold up the rest
  chunk_ = std::max(grain, (n + 4 * threads - 1) / (4 * threads));
  next_.store(0, std::memory_order_relaxed);
  busy_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  epoch_.fetch_add(1, std::memory_order_release);
  epoch_.notify_all();
  work(n);
  for (std::uint32_t left = busy_.load(std::memory_order_acquire); left != 0;
       left = busy_.load(std::memory_order_acquire)) {
    wait_while(busy_, left);
  }
}

void ThreadPool::work(std::uint32_t limit) {
  for (;;) {
    const std::uint32_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
    if (begin >= limit) return;
    call_(context_, begin, std::min(limit - begin, chunk_) + begin);
  }
}

void ThreadPool::loop() {
  const ExactFloats exact;
  std::uint32_t seen = 0;
  for (;;) {
    wait_while(epoch_, seen);
    seen += 1;
    if (stop_.load(std::memory_order_relaxed)) return;
    work(n_);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
  }
}

}  // namespace cairn::exec
