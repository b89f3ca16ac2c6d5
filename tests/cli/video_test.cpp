// cairn run --video: what ffmpeg gets, and what happens when it fails.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "cairn/picture.h"
#include "cairn/scene_file.h"
#include "cairn/world.h"
#include "scenes/builtin.h"
#include "tests/cli/cli.h"

namespace cairn::cli_test {
namespace {

const std::string kRun = "run tower:height=3 --device cpu --steps 6 ";

class Video : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
  }
};

/// The frames of a video one after the other, three bytes a pixel.
std::string pixels_of(const std::string& folder, const std::string& file) {
  const CliResult r = run_script(folder, "ffmpeg -v error -y -i " + file + " -f rawvideo -pix_fmt rgb24 frames.raw");
  EXPECT_EQ(r.code, 0) << r.err;
  return read_text(folder + "/frames.raw");
}

void append(std::string& frames, const Image& image) {
  frames.append(reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size());
}

TEST_F(Video, has_the_pixels_of_pictures_one_for_each_frame) {
  const std::string folder = fresh_folder("video_frames");
  // k / fps / dt, rounded up, is the step of frame k
  const std::vector<std::pair<int, std::vector<int>>> steps_of{
      {60, {0, 1, 2, 3, 4, 5, 6}}, {30, {0, 2, 4, 6}}, {120, {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}}};
  for (const auto& [fps, steps] : steps_of) {
    run_good(folder, kRun + "--video a.mkv --size 32x18 --samples 1 --fps " + std::to_string(fps));
    World world(scenes::make("tower:height=3", 1), {.device = Device::cpu(1)});
    PictureOptions options{.width = 32, .height = 18, .samples = 1};
    options = framing(world, options);
    std::string expected;
    int taken = 0;
    for (const int step : steps) {
      for (; taken < step; ++taken) world.step();
      append(expected, render(world, options));
    }
    EXPECT_TRUE(pixels_of(folder, "a.mkv") == expected) << fps;
  }
}

TEST_F(Video, goes_round_and_along_with_a_body) {
  const std::string folder = fresh_folder("video_path");
  run_good(folder,
           "run slope:friction=0.1 --device cpu --steps 30 --video a.mkv --size 32x18 --samples 1 --fps 10 "
           "--camera 5,-9,6,0,0,1 --orbit 90 --follow box1");
  World world(scenes::make("slope:friction=0.1", 1), {.device = Device::cpu(1)});
  const auto box = *world.find_body("box1");
  const PictureOptions start =
      framing(world, {.width = 32, .height = 18, .samples = 1, .camera = PictureCamera{{5, -9, 6}, {0, 0, 1}}});
  const Vec3d begin = world.state(box).position;
  std::string expected;
  for (int frame = 0; frame <= 5; ++frame) {
    if (frame > 0) {
      for (int i = 0; i < 6; ++i) world.step();
    }
    const Vec3d now = world.state(box).position, moved{now.x - begin.x, now.y - begin.y, now.z - begin.z};
    // a quarter of a circle a second, against the clock
    const double angle = frame * 0.1 * std::numbers::pi / 2, c = std::cos(angle), s = std::sin(angle);
    const PictureCamera camera{{moved.x + 5 * c + 9 * s, moved.y + 5 * s - 9 * c, moved.z + 6},
                               {moved.x, moved.y, moved.z + 1}};
    append(expected, render(world, {.width = 32, .height = 18, .samples = 1, .camera = camera, .sun = start.sun}));
  }
  const std::string made = pixels_of(folder, "a.mkv");
  ASSERT_EQ(made.size(), expected.size());
  // sines in other ways are off by a last digit, which moves a pixel at an edge now and then
  std::size_t differing = 0;
  for (std::size_t i = 0; i < made.size(); ++i) differing += made[i] != expected[i] ? 1 : 0;
  EXPECT_LT(differing, made.size() / 50);
}

TEST_F(Video, goes_along_with_what_a_camera_of_the_scene_follows) {
  const std::string folder = fresh_folder("video_camera");
  Scene scene = scenes::make("slope:friction=0.1", 1);
  scene.add_camera({"chase", {{5, -9, 6}, {0, 0, 1}}, scene.find_body("box1")});
  std::ofstream(folder + "/a.json") << scene_to_json(scene);
  const std::string of = " --device cpu --steps 12 --size 32x18 --samples 1 --fps 10 --video ";
  ASSERT_EQ(run_cairn(folder, "run a.json --camera chase" + of + "a.mkv").code, 0);
  ASSERT_EQ(run_cairn(folder, "run a.json --camera 5,-9,6,0,0,1 --follow box1" + of + "b.mkv").code, 0);
  ASSERT_EQ(run_cairn(folder, "run a.json --camera 5,-9,6,0,0,1" + of + "c.mkv").code, 0);
  const std::string followed = pixels_of(folder, "a.mkv");
  EXPECT_TRUE(followed == pixels_of(folder, "b.mkv"));
  EXPECT_FALSE(followed == pixels_of(folder, "c.mkv"));
}

TEST_F(Video, is_made_in_each_format) {
  const std::string folder = fresh_folder("video_formats");
  for (const char* ending : {"mp4", "webm", "mkv", "gif", "webp"}) {
    run_good(folder, kRun + "--size 64x36 --samples 1 --fps 20 --video a." + ending);
    EXPECT_GT(read_text(folder + "/a." + ending).size(), 200u);
  }
  EXPECT_EQ(files_in(folder), 5u);
  const CliResult r = run_script(folder,
                                 "ffprobe -v error -show_entries stream=width,height,r_frame_rate,nb_frames -of "
                                 "default=noprint_wrappers=1 a.mp4");
  for (const char* what : {"width=64", "height=36", "r_frame_rate=20/1", "nb_frames=3"})
    EXPECT_TRUE(has(r.out, what)) << r.out << r.err;
}

/// What is tried, and what is said of it.
using Said = std::pair<std::string, std::vector<const char*>>;

TEST_F(Video, of_what_cannot_be_made_is_refused_before_the_first_step) {
  const std::string folder = fresh_folder("video_refused");
  for (const auto& [options, said] : std::vector<Said>{
           {"--video a.avi", {"--video", "a.avi", ".mp4"}},
           {"--video nowhere/a.mp4", {"--video", "nowhere"}},
           {"--video a.mp4 --size 33x18", {"--video a.mp4", "even", "33x18"}},
           {"--video a.mp4 --fps 0", {"--fps", "240"}},
           {"--fps 30", {"--fps", "--video"}},
           {"--video a.mp4 --worlds 2", {"--video a.mp4", "--world", "--grid"}},
           {"--video a.mkv --state a.mkv", {"a.mkv"}},
           {"--video a.mp4 --follow nobody", {"--follow nobody"}},
           {"--picture a.png --orbit 3", {"--orbit", "--video"}},
       }) {
    EXPECT_TRUE(ended(run_cairn(folder, kRun + options), 2, said)) << options;
  }
  EXPECT_EQ(files_in(folder), 0u);
}

/// An ffmpeg that is none, before the true one.
CliResult run_with(const std::string& folder, const std::string& ffmpeg, const std::string& options) {
  return run_script(folder, "mkdir bin; printf '#!/bin/sh\n" + ffmpeg +
                                "\n' >bin/ffmpeg; chmod +x bin/ffmpeg; PATH=\"$PWD/bin:$PATH\"; cairn " + kRun +
                                options + "; code=$?; rm -r bin; exit $code");
}

TEST(VideoFault, of_ffmpeg_leaves_no_file_and_says_why) {
  for (const auto& [ffmpeg, said] : std::vector<Said>{
           {"head -c 3000 >/dev/null; echo no space left >&2; exit 1", {"exit code 1", "no space left"}},
           {"cat >/dev/null; echo nearly done >&2; exit 3", {"exit code 3", "nearly done"}},
           {"head -c 3000 >/dev/null; kill -9 $$", {"signal 9"}},
           {"exit 0", {"ffmpeg failed"}},
       }) {
    const std::string folder = fresh_folder("video_fault");
    const CliResult r = run_with(folder, ffmpeg, "--video a.mp4 --size 64x36 --samples 1 --state s.json");
    EXPECT_TRUE(ended(r, 4, said)) << ffmpeg;
    EXPECT_TRUE(has(r.err, "--video a.mp4")) << r.err;
    // the states are there all the same
    EXPECT_EQ(files_in(folder), 1u) << ffmpeg;
  }
}

TEST(VideoFault, that_there_is_no_ffmpeg_is_said_with_where_to_get_it) {
  const std::string folder = fresh_folder("video_none");
  const CliResult r = run_script(folder, "PATH=/nonexistent; cairn " + kRun + "--video a.mp4");
  EXPECT_TRUE(ended(r, 2, {"Debian's package ffmpeg"}));
  EXPECT_EQ(files_in(folder), 0u);
}

}  // namespace
}  // namespace cairn::cli_test
