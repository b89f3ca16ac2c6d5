#include "src/exec/thread_pool.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "cairn/errors.h"
#include "src/exec/exact_floats.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn::exec {
namespace {

// a look at another thread's share costs that thread a cache miss: spin for about a microsecond before helping
constexpr int kSpins = 60;

// a step has some hundred short loops: spin for up to some tens of microseconds before sleeping
constexpr int kMaxSpins = 2000;

// chunks of a share. Its owner claims half of the rest, and at least kMin. A helper takes half, and leaves less than
// kWorthwhile to the owner, which it would cost more than the work saves, unless the owner doesn't come
constexpr std::uint32_t kChunks = 64, kMin = 4, kWorthwhile = 8;

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

std::uint32_t epoch_of(std::uint64_t left) { return static_cast<std::uint32_t>(left >> 32); }
std::uint32_t first_of(std::uint64_t left) { return static_cast<std::uint32_t>(left) >> 16; }
std::uint32_t chunks_of(std::uint64_t left) { return (static_cast<std::uint32_t>(left) & 0xffffu) - first_of(left); }

/// Spins until `there()`, up to `spins` times; returns its last value.
template <class There>
bool spin_until(const There& there, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (there()) return true;
    pause_briefly();
  }
  return there();
}
/// Spins up to `patience` times, and adapts `patience`. If other threads or programs have the cores, spinning keeps the
/// awaited thread from running. So each wait in vain halves `patience`, and each successful one adds a sixteenth.
template <class There>
bool wait_briefly(const There& there, int& patience) {
  const bool came = spin_until(there, patience);
  patience = came ? std::min(patience + patience / 16, kMaxSpins) : std::max(patience / 2, kSpins);
  return came;
}

}  // namespace

ThreadPool::ThreadPool(int threads) : shares_(static_cast<std::size_t>(std::max(threads, 1))), patience_(kSpins) {
  workers_.reserve(shares_.size() - 1);
  try {
    for (std::uint32_t i = 1; i < shares_.size(); ++i) workers_.emplace_back([this, i] { serve(i); });
  } catch (const std::system_error& e) {
    const std::size_t started = workers_.size() + 1;
    stop();
    throw DeviceError("cpu: of " + std::to_string(threads) + " threads only " + std::to_string(started) +
                      " could be started: " + e.what());
  }
}

ThreadPool::~ThreadPool() { stop(); }

int ThreadPool::hardware_threads() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 256u));
}

void ThreadPool::stop() noexcept {
  const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
  stop_.store(true, std::memory_order_relaxed);
  for (Share& share : shares_) share.left.store(std::uint64_t{epoch} << 32, std::memory_order_release);
  publish(epoch);
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::publish(std::uint32_t epoch) {
  // seq_cst: after a mere release, notify_all might look for waiters before this store
  epoch_.store(epoch, std::memory_order_seq_cst);
  epoch_.notify_all();
}

void ThreadPool::run_chunks(Loop loop) {
  const std::uint32_t threads = static_cast<std::uint32_t>(shares_.size());
  loop.chunk = (loop.n + kChunks * threads - 1) / (kChunks * threads);
  const std::uint32_t chunks = (loop.n + loop.chunk - 1) / loop.chunk;
  done_.store(0, std::memory_order_relaxed);
  const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
  for (std::uint32_t t = threads; t-- > 0;) {
    const std::uint32_t first = chunks * t / threads, last = chunks * (t + 1) / threads;
    shares_[t].loop = loop;
    shares_[t].left.store(std::uint64_t{epoch} << 32 | first << 16 | last, std::memory_order_release);
  }
  publish(epoch);
  std::uint32_t others = chunks - work_off(epoch, loop, shares_[0]);
  const auto over = [&] { return done_.load(std::memory_order_acquire) == others; };
  if (spin_until(over, kSpins)) return;
  others -= help(epoch, loop, 0, kWorthwhile);
  if (wait_briefly(over, patience_)) return;
  others -= help(epoch, loop, 0, 1);
  // waits only for chunks that a thread holds: a worker that the system has suspended before it took one holds none
  while (!spin_until(over, patience_)) {
    const std::uint32_t done = done_.load(std::memory_order_acquire);
    if (done != others) done_.wait(done, std::memory_order_acquire);
  }
}

/// Runs chunks of the thread's own share until none is left or the loop is over. Returns the number of chunks run. A
/// held chunk keeps the loop from ending.
std::uint32_t ThreadPool::work_off(std::uint32_t epoch, const Loop& loop, Share& share) {
  std::uint32_t ran = 0;
  for (std::uint64_t left = share.left.load(std::memory_order_acquire);;) {
    const std::uint32_t chunks = chunks_of(left);
    if (epoch_of(left) != epoch || chunks == 0) return ran;
    const std::uint32_t take = std::min(std::max((chunks + 1) / 2, kMin), chunks);
    if (!share.left.compare_exchange_weak(left, left + (std::uint64_t{take} << 16), std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
      continue;
    }
    loop.run(first_of(left), take);
    ran += take;
    left = share.left.load(std::memory_order_acquire);
  }
}

/// Runs the latter half of the rest of other threads' shares, if that is at least `least` chunks. Returns the number of
/// chunks run.
std::uint32_t ThreadPool::help(std::uint32_t epoch, const Loop& loop, std::uint32_t thread, std::uint32_t least) {
  const std::uint32_t threads = static_cast<std::uint32_t>(shares_.size());
  std::uint32_t ran = 0;
  for (std::uint32_t i = 1; i < threads; ++i) {
    Share& share = shares_[(thread + i) % threads];
    for (std::uint64_t left = share.left.load(std::memory_order_acquire);;) {
      const std::uint32_t chunks = chunks_of(left);
      if (epoch_of(left) != epoch || chunks < least || chunks == 0) break;
      const std::uint32_t take = (chunks + 1) / 2;
      if (!share.left.compare_exchange_weak(left, left - take, std::memory_order_acq_rel, std::memory_order_acquire))
        continue;
      loop.run(first_of(left) + chunks - take, take);
      ran += take;
      left = share.left.load(std::memory_order_acquire);
    }
  }
  return ran;
}

void ThreadPool::serve(std::uint32_t thread) {
  const ExactFloats exact;
  Share& share = shares_[thread];
  std::uint32_t seen = 0;
  int patience = kSpins;
  const auto called = [&] { return epoch_of(share.left.load(std::memory_order_acquire)) != seen; };
  const auto report = [&](std::uint32_t ran) {
    if (ran == 0) return;
    done_.fetch_add(ran, std::memory_order_acq_rel);
    done_.notify_one();
  };
  for (;;) {
    if (!wait_briefly(called, patience)) {
      report(help(seen, share.loop, thread, 1));
      while (!called()) epoch_.wait(seen, std::memory_order_acquire);
    }
    // the epoch first: the last loop may be over by now, and then this is the epoch of the end
    seen = epoch_of(share.left.load(std::memory_order_acquire));
    if (stop_.load(std::memory_order_relaxed)) return;
    report(work_off(seen, share.loop, share));
    if (!spin_until(called, kSpins)) report(help(seen, share.loop, thread, kWorthwhile));
  }
}

}  // namespace cairn::exec
