#pragma once
// SIGINT and SIGTERM as requests to stop.

#include <string>

namespace cairn::cli {

/// From now on the first SIGINT or SIGTERM is only recorded; a second one ends the program at once. A signal that the
/// program's parent has set to be ignored stays ignored.
void note_stop_signals();
/// The recorded signal; 0 if none was.
int stop_signal();
std::string name_of_signal(int signal);

}  // namespace cairn::cli
