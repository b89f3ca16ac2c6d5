#include "tools/cairn/stop.h"

#include <array>
#include <atomic>
#include <csignal>

namespace cairn::cli {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM};

// any thread may receive the signal
std::atomic<int> noted{0};
std::array<std::atomic<bool>, kSignals.size()> ours{};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  noted = signal;
  // the next one, of either kind, has its default effect
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (ours[i]) std::signal(kSignals[i], SIG_DFL);
  }
}

}  // namespace

void note_stop_signals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction before {};
    sigaction(kSignals[i], nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    ours[i] = true;
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    sigaction(kSignals[i], &action, nullptr);
  }
}

int stop_signal() { return noted; }

std::string name_of_signal(int signal) { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

}  // namespace cairn::cli
