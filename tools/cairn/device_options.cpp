#include "tools/cairn/device_options.h"

#include "tools/cairn/numbers.h"

namespace cairn::cli {
namespace {

/// Check of "cpu", "best", "cuda" or "cuda:i" for CLI11; empty if valid.
std::string check_device(const std::string& text) {
  const std::string index = text.rfind("cuda:", 0) == 0 ? text.substr(5) : "0";
  const bool number = !index.empty() && index.size() < 6 && index.find_first_not_of("0123456789") == std::string::npos;
  const bool known = text == "cpu" || text == "best" || text == "cuda" || text.rfind("cuda:", 0) == 0;
  return known && number ? "" : "\"" + text + "\" is none of cpu, cuda, cuda:<number> and best";
}

}  // namespace

void add_device_options(CLI::App& command, std::string& device, int& threads) {
  command.add_option("--device", device, "cpu, cuda, cuda:<number> or best")
      ->check(CLI::Validator(check_device, ""))
      ->capture_default_str();
  command.add_option("--threads", threads, "CPU threads; 0 takes all")
      ->transform(whole_number(0, 256))
      ->capture_default_str();
}

}  // namespace cairn::cli
