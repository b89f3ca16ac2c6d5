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
  const std::uint32_t chunks = (n + chunk_ - 1) / chunk_;
  done_.store(0, std::memory_order_relaxed);
  const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
  ticket_.store(std::uint64_t{epoch} << 32 | chunks, std::memory_order_release);
  epoch_.store(epoch, std::memory_order_release);
  epoch_.notify_all();
  while (claim_and_run(epoch)) {
  }
  // only chunks that somebody holds are waited for: a worker that the system has put aside holds none
  for (std::uint32_t done = done_.load(std::memory_order_acquire); done != chunks; done = done_.load(std::memory_order_acquire)) {
    wait_while(done_, done);
  }
}

/// Runs a chunk of the loop `epoch`; false if there is none left or the loop is over. Whoever holds a chunk keeps the loop from ending.
bool ThreadPool::claim_and_run(std::uint32_t epoch) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  do {
    if (static_cast<std::uint32_t>(ticket >> 32) != epoch || static_cast<std::uint32_t>(ticket) == 0) return false;
  } while (!ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel, std::memory_order_acquire));
  const std::uint32_t begin = (static_cast<std::uint32_t>(ticket) - 1) * chunk_;
  call_(context_, begin, std::min(n_ - begin, chunk_) + begin);
  done_.fetch_add(1, std::memory_order_acq_rel);
  done_.notify_one();
  return true;
}

void ThreadPool::loop() {
  const ExactFloats exact;
  std::uint32_t seen = 0;
  for (;;) {
    wait_while(epoch_, seen);
    seen = epoch_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    while (claim_and_run(seen)) {
    }
  }
}

}  // namespace cairn::exec
