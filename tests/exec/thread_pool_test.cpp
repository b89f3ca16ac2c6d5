// Threads that share a loop: all of it once, however many they are; and pools whose threads end, or can't start.

#include "src/exec/thread_pool.h"

#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/errors.h"

#if defined(__linux__)
#include <fstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace cairn::exec_test {
namespace {

using exec::ThreadPool;

TEST(ThreadPool, visits_every_index_of_a_loop_once) {
  // more threads than most machines have cores: some come late to a loop, or not at all
  for (const int threads : {1, 2, 3, 5, 16}) {
    ThreadPool pool(threads);
    ASSERT_EQ(pool.threads(), threads);
    for (const std::uint32_t n : {0u, 1u, 63u, 64u, 65u, 1000u, 100'003u}) {
      std::vector<std::uint32_t> visits(n, 0);
      // loops close upon each other: a thread that is late for one must not take part of the next for it
      constexpr std::uint32_t kLoops = 20;
      for (std::uint32_t loop = 0; loop < kLoops; ++loop) {
        pool.run(n, loop % 2 == 0 ? 1 : 64, [&](std::uint32_t begin, std::uint32_t end) {
          // where there are more threads than cores, lets the others come
          if (loop % 4 >= 2) std::this_thread::yield();
          for (std::uint32_t i = begin; i < end; ++i) visits[i] += 1;
        });
        // what was written is seen by the caller, which is no thread of the pool's making
        ASSERT_EQ(visits, std::vector<std::uint32_t>(n, loop + 1)) << n << " items, " << threads << " threads";
      }
    }
  }
}

TEST(ThreadPool, ends_at_once_after_no_loop_or_the_first) {
  for (int i = 0; i < 1000; ++i) {
    ThreadPool pool(1 + i % 8);
    std::vector<std::uint32_t> visits(i % 3 == 0 ? 0 : 100, 0);
    pool.run(static_cast<std::uint32_t>(visits.size()), 1, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t j = begin; j < end; ++j) visits[j] += 1;
    });
    ASSERT_EQ(std::accumulate(visits.begin(), visits.end(), std::size_t{0}), visits.size()) << "pool " << i;
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAIRN_OWN_ADDRESS_SPACE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CAIRN_OWN_ADDRESS_SPACE 0
#endif
#endif
#if !defined(CAIRN_OWN_ADDRESS_SPACE)
#define CAIRN_OWN_ADDRESS_SPACE 1
#endif

TEST(ThreadPool, a_thread_that_the_system_refuses_is_a_device_error) {
#if !defined(__linux__)
  GTEST_SKIP() << "skipped: the limit on address space is set as Linux does";
#elif !CAIRN_OWN_ADDRESS_SPACE
  GTEST_SKIP() << "skipped: the sanitizer needs the address space that this test takes away";
#else
  // room for the stacks of a few of 256 threads, in a process of its own
  constexpr rlim_t kStack = 8u << 20, kRoom = 5 * kStack;
  enum : int { kDeviceError = 10, kAllStarted, kNoLimit, kOther };
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    const rlimit stack{kStack, kStack}, space{used + kRoom, used + kRoom};
    if (pages == 0 || setrlimit(RLIMIT_STACK, &stack) != 0 || setrlimit(RLIMIT_AS, &space) != 0) _exit(kNoLimit);
    try {
      ThreadPool pool(256);
    } catch (const DeviceError& error) {
      _exit(std::string(error.what()).find("of 256 threads only ") != std::string::npos ? kDeviceError : kOther);
    } catch (...) {
      _exit(kOther);
    }
    _exit(kAllStarted);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  if (WEXITSTATUS(status) == kNoLimit || WEXITSTATUS(status) == kAllStarted)
    GTEST_SKIP() << "skipped: this system doesn't hold a process to a limit on its address space";
  EXPECT_EQ(WEXITSTATUS(status), kDeviceError);
#endif
}

}  // namespace
}  // namespace cairn::exec_test
