#pragma once
// SIGINT and SIGTERM as a wish to stop.

#include <string>

namespace cairn::cli {

/// From now on the first SIGINT or SIGTERM is only noted; a second one ends the program at once. One that the program's
/// parent has set to be ignored stays so.
void note_stop_signals();
/// The signal that was noted; 0 if none was.
int stop_signal();
std::string name_of_signal(int signal);

}  // namespace cairn::cli
