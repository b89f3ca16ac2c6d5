#include "tools/cairn/video.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cairn/errors.h"

namespace cairn::cli {
namespace {

struct Format {
  const char* ending;
  bool even;  ///< colour is stored for two by two pixels
  std::vector<const char*> arguments;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {".mp4", true, {"-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"}},
      {".webm", true, {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-pix_fmt", "yuv420p", "-f", "webm"}},
      // lossless
      {".mkv", false, {"-c:v", "ffv1", "-pix_fmt", "bgr0", "-f", "matroska"}},
      {".gif", false, {"-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse", "-f", "gif"}},
      {".webp", false, {"-c:v", "libwebp_anim", "-quality", "80", "-loop", "0", "-f", "webp"}},
  };
  return all;
}

const Format& format_of(const std::filesystem::path& file) {
  for (const Format& format : formats()) {
    if (file.extension() == format.ending) return format;
  }
  throw InvalidArgument("--video " + file.string() + ": no format has this ending");
}

std::string all_of(std::FILE* file) {
  constexpr std::size_t kMost = 2000;
  std::string text(kMost, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, kMost, file));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::vector<std::string> video_endings() {
  std::vector<std::string> endings;
  for (const Format& format : formats()) endings.emplace_back(format.ending);
  return endings;
}

Video::Video(const std::filesystem::path& file, double fps, const World& world, PictureOptions options, double orbit,
             std::optional<BodyHandle> follow)
    : draft_(file),
      name_("--video " + file.string()),
      options_(std::move(options)),
      fps_(fps),
      steps_a_frame_(1 / (fps * static_cast<double>(world.params().dt))),
      first_step_(world.report().steps),
      said_(std::tmpfile()) {
  const Format& format = format_of(file);
  const std::string size = std::to_string(options_.width) + "x" + std::to_string(options_.height);
  if (format.even && (options_.width % 2 != 0 || options_.height % 2 != 0))
    throw InvalidArgument(name_ + ": wants even sides, --size is " + size);
  if (said_ == nullptr) throw InvalidArgument(name_ + ": no temporary file: " + std::strerror(errno));
  // the same light from start to end
  options_ = framing(world, options_);
  path_.emplace(world, *options_.camera, orbit, follow);

  // a socket, since writing to a pipe without a reader would end this program
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw InvalidArgument(name_ + ": no socket: " + std::strerror(errno));
  const std::string rate = std::to_string(fps);
  std::vector<const char*> arguments{"ffmpeg",     "-hide_banner", "-loglevel", "error", "-nostats",    "-y",
                                     "-f",         "rawvideo",     "-pix_fmt",  "rgb24", "-video_size", size.c_str(),
                                     "-framerate", rate.c_str(),   "-i",        "pipe:0"};
  arguments.insert(arguments.end(), format.arguments.begin(), format.arguments.end());
  arguments.insert(arguments.end(), {draft_.path().c_str(), nullptr});

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(said_.get()), STDERR_FILENO);
  // a group of its own: Ctrl-C ends the run, and the video keeps its frames
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(&pid_, "ffmpeg", &actions, &attributes, const_cast<char**>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  socket_ = ends[0];
  if (error == 0) return;
  close(socket_);
  throw InvalidArgument(name_ + (error == ENOENT ? ": needs the program ffmpeg (Debian's package ffmpeg)"
                                                 : std::string(": can't start ffmpeg: ") + std::strerror(error)));
}

Video::~Video() {
  if (socket_ >= 0) close(socket_);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

void Video::send(const Image& image) {
  const std::uint8_t* at = image.rgb.data();
  const std::uint8_t* const end = at + image.rgb.size();
  while (at < end && !broken_) {
    const ssize_t n = ::send(socket_, at, static_cast<std::size_t>(end - at), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    broken_ = n < 0;
    at += std::max<ssize_t>(n, 0);
  }
}

void Video::show(const World& world) {
  // a step of 1/60 s is a float slightly above it
  const double passed = static_cast<double>(world.report().steps - first_step_) + 1e-3;
  const auto is_due = [&] { return static_cast<double>(frames_) * steps_a_frame_ <= passed; };
  Image image;
  for (; is_due() && !broken_; ++frames_) {
    const PictureCamera camera = path_->at(world, static_cast<double>(frames_) / fps_);
    if (image.rgb.empty() || camera != *options_.camera) {
      options_.camera = camera;
      image = render(world, options_);
    }
    send(image);
  }
}

void Video::finish() {
  close(std::exchange(socket_, -1));
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const std::string said = all_of(said_.get());
  if (ended && said.empty() && !broken_) return draft_.finish();
  const std::string how = WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status))
                                              : "exit code " + std::to_string(WEXITSTATUS(status));
  throw InvalidArgument(name_ + ": ffmpeg failed, " + how + (said.empty() ? "" : ": " + said));
}

}  // namespace cairn::cli
