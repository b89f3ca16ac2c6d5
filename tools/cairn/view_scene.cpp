// cairn view SCENE: starts the viewer of the Python package.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cairn/errors.h"
#include "cairn/scene_file.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/files.h"
#include "tools/cairn/numbers.h"
#include "tools/cairn/source.h"

namespace cairn::cli {
namespace {

struct ViewOptions {
  std::string scene;
  Seed seed;
};

/// Packages of the viewer that a Python has.
enum class Has { kAll, kNoViser, kNoCairn, kNothing };
constexpr int kLacksCairn = 93, kLacksViser = 94;
// a folder of that name is a package without a file
constexpr const char* kAsk =
    "import importlib.util as u, sys\n"
    "for name, code in (('cairn', 93), ('viser', 94)):\n"
    "    found = u.find_spec(name)\n"
    "    if found is None or found.origin is None: sys.exit(code)\n";

std::vector<char*> arguments_of(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

Has ask(const std::string& python) {
  // -P: the current folder isn't on the module path
  std::vector<std::string> words{python, "-P", "-c", kAsk};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, python.c_str(), &actions, nullptr, arguments_of(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Has::kNothing;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 0) return Has::kAll;
  return code == kLacksViser ? Has::kNoViser : code == kLacksCairn ? Has::kNoCairn : Has::kNothing;
}

/// The first Python that has the packages. Throws InvalidArgument that names the missing ones.
std::string find_python() {
  const char* given = std::getenv("CAIRN_PYTHON");
  const std::vector<std::string> tried =
      given != nullptr && *given != 0 ? std::vector<std::string>{given} : std::vector<std::string>{"python3", "python"};
  std::string without_viser;
  for (const std::string& python : tried) {
    const Has has = ask(python);
    if (has == Has::kAll) return python;
    if (has == Has::kNoViser) without_viser = python;
  }
  if (!without_viser.empty())
    throw InvalidArgument("view: " + without_viser + " lacks the package viser: " + without_viser +
                          " -m pip install viser");
  const std::string lacking =
      tried.size() == 1 ? tried[0] + " is not" : "neither " + tried[0] + " nor " + tried[1] + " is";
  throw InvalidArgument("view: needs a Python with the package cairn, which " + lacking +
                        ": pip install '.[viewer]' in a checkout, or name another in CAIRN_PYTHON");
}

/// Makes a text the content of stdin.
void put_into_stdin(const std::string& text) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0 ||
      lseek(fileno(file), 0, SEEK_SET) != 0 || dup2(fileno(file), STDIN_FILENO) < 0) {
    throw OutputError(std::string("view: no temporary file: ") + std::strerror(errno));
  }
}

/// Returns only by an exception: the viewer replaces this program.
void view(const ViewOptions& options, const std::vector<std::string>& for_viewer) {
  std::string file = options.scene, scene;
  if (!is_scene_file(options.scene, options.seed)) {
    scene = scene_to_json(load_source(options.scene, options.seed).scene);
    file = "-";
  }
  const std::string python = find_python();
  if (!scene.empty()) put_into_stdin(scene);
  std::vector<std::string> words{python, "-P", "-m", "cairn.viewer"};
  words.insert(words.end(), for_viewer.begin(), for_viewer.end());
  words.insert(words.end(), {"--", file});
  execvp(python.c_str(), arguments_of(words).data());
  throw InvalidArgument("view: can't start " + python + ": " + std::strerror(errno));
}

}  // namespace

void add_view(CLI::App& app) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand(
      "view", "Simulate a scene, or play a recording, in the browser, by the Python package's viewer");
  command
      ->add_option("SCENE", options->scene,
                   "a scene file, a built-in scene such as tower:height=20, or what cairn run --record wrote")
      ->required();
  command->add_option("--seed", options->seed, "seed of the disturbance of a built-in scene; without it 1")
      ->transform(whole_number());
  command->footer(
      std::string() +
      "What follows SCENE and --seed goes to python -m cairn.viewer, whose --help lists it: --worlds 16, --port 9000,\n"
      "--paused. CAIRN_PYTHON names the Python; without it python3, then python.\n\n" +
      app.get_footer());
  command->prefix_command();
  command->callback([options, command] { view(*options, command->remaining()); });
}

}  // namespace cairn::cli
