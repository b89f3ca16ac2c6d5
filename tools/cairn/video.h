#pragma once
// A run as a video, written by the program ffmpeg.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cairn/picture.h"
#include "cairn/world.h"
#include "src/file/whole_file.h"
#include "tools/cairn/camera_path.h"

namespace cairn::cli {

/// The endings of files that a Video can make.
std::vector<std::string> video_endings();

/// Frame k shows the World after the first step at which k / fps seconds have passed since the Video began; where steps
/// are longer than frames, some show the same. Camera and sun are those of the options, or by default those of a
/// picture of the start.
class Video {
 public:
  /// Draws nothing yet. Throws InvalidArgument if the file can't be made, sides are odd where the format needs even
  /// ones, or there is no ffmpeg.
  Video(const std::filesystem::path& file, double fps, const World& world, PictureOptions options, double orbit = 0,
        std::optional<BodyHandle> follow = {});
  ~Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;

  /// Draws the frames that are due after the World's last step, and the start before the first. A fault of ffmpeg is
  /// kept for `finish`, and no more is drawn.
  void show(const World& world);
  /// Waits for ffmpeg, and gives the file its name. Throws InvalidArgument with ffmpeg's message: then there is none.
  void finish();

 private:
  void send(const Image& image);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  Draft draft_;
  std::string name_;
  PictureOptions options_;
  std::optional<CameraPath> path_;
  double fps_;                              ///< [1/s]
  double steps_a_frame_;                    ///< [1]
  std::uint64_t first_step_;                ///< [1]
  std::uint64_t frames_{0};                 ///< [1] sent
  std::unique_ptr<std::FILE, Close> said_;  ///< ffmpeg's stderr
  int pid_{-1}, socket_{-1};
  bool broken_{false};  ///< ffmpeg accepts no more frames
};

}  // namespace cairn::cli
