#include "src/exec/thread_pool.h"

#include "src/exec/exact_floats.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn::exec {
namespace {

// a step has some hundred short loops: spin for some tens of microseconds before the thread sleeps
constexpr int kSpins = 2000;

// chunks of a loop to a thread, so that a late thread doesn't hold up the rest; threads * kChunks fits 16 bits
constexpr std::uint32_t kChunks = 4;

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

ThreadPool::ThreadPool(int threads) : shares_(static_cast<std::size_t>(std::max(threads, 1))) {
  workers_.reserve(shares_.size() - 1);
  for (std::uint32_t i = 1; i < shares_.size(); ++i) workers_.emplace_back([this, i] { loop(i); });
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
  const std::uint32_t threads = static_cast<std::uint32_t>(shares_.size());
  chunk_ = std::max(grain, (n + kChunks * threads - 1) / (kChunks * threads));
  const std::uint32_t chunks = (n + chunk_ - 1) / chunk_;
  done_.store(0, std::memory_order_relaxed);
  const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
  for (std::uint32_t t = 0; t < threads; ++t) {
    const std::uint32_t first = chunks * t / threads, last = chunks * (t + 1) / threads;
    shares_[t].left.store(std::uint64_t{epoch} << 32 | first << 16 | last, std::memory_order_release);
  }
  epoch_.store(epoch, std::memory_order_release);
  epoch_.notify_all();
  const std::uint32_t others = chunks - work(epoch, 0);
  // only chunks that somebody holds are waited for: a worker that the system has put aside holds none
  for (std::uint32_t done = done_.load(std::memory_order_acquire); done != others; done = done_.load(std::memory_order_acquire)) {
    wait_while(done_, done);
  }
}

/// Runs what is left of the loop `epoch`, first of the thread's own share, then of the others'. Returns the chunks run.
std::uint32_t ThreadPool::work(std::uint32_t epoch, std::uint32_t thread) {
  const std::uint32_t threads = static_cast<std::uint32_t>(shares_.size());
  std::uint32_t ran = work_off(epoch, shares_[thread], true);
  for (std::uint32_t i = 1; i < threads; ++i) ran += work_off(epoch, shares_[(thread + i) % threads], false);
  return ran;
}

/// Runs chunks of a share, the owner from the front, others from the back, until none is left or the loop is over. Whoever holds a
/// chunk keeps the loop from ending.
std::uint32_t ThreadPool::work_off(std::uint32_t epoch, Share& share, bool own) {
  std::uint32_t ran = 0;
  for (std::uint64_t left = share.left.load(std::memory_order_acquire);;) {
    const std::uint32_t first = static_cast<std::uint32_t>(left) >> 16, last = static_cast<std::uint32_t>(left) & 0xffffu;
    if (static_cast<std::uint32_t>(left >> 32) != epoch || first == last) return ran;
    if (!share.left.compare_exchange_weak(left, own ? left + (1u << 16) : left - 1, std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
      continue;
    }
    const std::uint32_t begin = (own ? first : last - 1) * chunk_;
    call_(context_, begin, std::min(n_ - begin, chunk_) + begin);
    ++ran;
    left = share.left.load(std::memory_order_acquire);
  }
}

void ThreadPool::loop(std::uint32_t thread) {
  const ExactFloats exact;
  std::uint32_t seen = 0;
  for (;;) {
    wait_while(epoch_, seen);
    seen = epoch_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    const std::uint32_t ran = work(seen, thread);
    if (ran != 0) {
      done_.fetch_add(ran, std::memory_order_acq_rel);
      done_.notify_one();
    }
  }
}

}  // namespace cairn::exec
