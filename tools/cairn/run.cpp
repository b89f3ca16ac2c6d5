// cairn run SCENE

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>

#include "cairn/errors.h"
#include "cairn/picture.h"
#include "src/file/whole_file.h"
#include "src/scene/check_attributes.h"
#include "tools/cairn/checkpoint.h"
#include "tools/cairn/commands.h"
#include "tools/cairn/device_options.h"
#include "tools/cairn/files.h"
#include "tools/cairn/numbers.h"
#include "tools/cairn/output.h"
#include "tools/cairn/picture_options.h"
#include "tools/cairn/simulate.h"
#include "tools/cairn/stop.h"
#include "tools/cairn/video.h"

namespace cairn::cli {
namespace {

constexpr double kDefaultSeconds = 10;
constexpr std::uint64_t kMaxSteps = 1'000'000'000;

struct RunOptions {
  std::string scene;
  std::string device{"best"};
  int threads{0};
  std::optional<std::string> solver, dt, substeps;
  std::optional<std::uint64_t> steps;
  std::optional<double> seconds;
  Seed seed;
  std::uint32_t worlds{1};
  std::vector<std::string> settings;
  bool json{false};
  bool timings{false};
  std::string state;
  PictureArguments picture;
  std::string record, checkpoint, resume;
  std::uint64_t every{1000};
  bool trace{false};
  bool repair{false};
};

/// A World in a run, and its judge.
struct Run {
  World world;
  std::vector<Source> sources;
  RunState state;
};

void apply_settings(Scene& scene, const RunOptions& options) {
  if (options.solver) override_setting(scene, "kind", *options.solver, "--solver " + *options.solver);
  if (options.dt) override_setting(scene, "dt", *options.dt, "--dt " + *options.dt);
  if (options.substeps) override_setting(scene, "substeps", *options.substeps, "--substeps " + *options.substeps);
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InvalidArgument("--set " + setting + ": must be key=value");
    }
    override_setting(scene, setting.substr(0, equals), setting.substr(equals + 1), "--set " + setting);
  }
}

std::uint64_t step_count(const RunOptions& options, float dt) {
  if (options.steps) return *options.steps;
  const double seconds = options.seconds.value_or(kDefaultSeconds);
  const double steps = std::round(seconds / static_cast<double>(dt));
  if (!(steps >= 0 && steps <= static_cast<double>(kMaxSteps))) {
    std::ostringstream message;
    message << "--seconds " << seconds << ": must give 0 to " << kMaxSteps << " steps, gives " << steps;
    throw InvalidArgument(message.str());
  }
  return static_cast<std::uint64_t>(steps);
}

WorldOptions world_options(const RunOptions& options, const Device& device) {
  return {.device = device, .timings = options.timings, .trace = options.trace};
}

Run begin(const RunOptions& options, const Device& device) {
  std::vector<std::string> repairs;
  std::vector<Source> sources =
      load_sources(options.scene, options.seed, options.worlds, options.repair ? &repairs : nullptr);
  for (const std::string& what : repairs) std::fprintf(stderr, "cairn: mended: %s\n", what.c_str());
  for (Source& source : sources) apply_settings(source.scene, options);
  RunState state{.scene = options.scene, .seed = number_of(options.seed), .every = options.every};
  state.steps = step_count(options, sources[0].scene.params().dt);
  state.cameras = sources[0].scene.cameras();
  for (const Source& source : sources) state.rules.push_back(source.rules);
  state.excursions.assign(sources.size(), 0.0);
  World world = make_world(sources, world_options(options, device));
  return {std::move(world), std::move(sources), std::move(state)};
}

Run resume(const RunOptions& options, const Device& device) {
  Checkpoint checkpoint = read_checkpoint(options.resume);
  World world(checkpoint.snapshot, world_options(options, device));
  std::vector<Source> sources = sources_of(world, checkpoint.state);
  return {std::move(world), std::move(sources), std::move(checkpoint.state)};
}

/// File of checkpoints: by default a resumed run writes to the file that it came from.
std::string checkpoint_of(const RunOptions& options) {
  return options.checkpoint.empty() ? options.resume : options.checkpoint;
}

void check_files_of(const RunOptions& options, const Run& made) {
  const std::string checkpoint = checkpoint_of(options);
  std::vector<NamedFile> inputs;
  for (const std::filesystem::path& file : made.sources[0].files) inputs.push_back({"the scene's", file});
  // replaced as a whole, so that a run may continue in the file that it came from
  if (!options.resume.empty() &&
      identity_of(std::filesystem::path(checkpoint)) != identity_of(std::filesystem::path(options.resume))) {
    inputs.push_back({"--resume", options.resume});
  }
  check_files({{{"--state", options.state}, {".json", ".csv"}},
               {{"--picture", options.picture.picture}, {".png"}},
               {{"--video", options.picture.video}, video_endings()},
               {{"--record", options.record}, {}},
               {{"--checkpoint", checkpoint}, {}}},
              inputs);
}

/// Calls write(), unless the path is empty; a failure doesn't stop later files.
class Written {
 public:
  template <class F>
  void file(const char* what, const std::string& path, const F& write) {
    if (path.empty()) return;
    try {
      writing(write);
      list_ += std::string(list_.empty() ? "" : ", ") + what + " " + path;
    } catch (const OutputError& error) {
      faults_ += (faults_.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  const std::string& list() const { return list_; }
  /// Throws OutputError if any write failed.
  void check() const {
    if (!faults_.empty()) throw OutputError(faults_);
  }

 private:
  std::string list_, faults_;
};

/// Cameras of a run's pictures.
class Cameraman {
 public:
  Cameraman(const PictureArguments& given, const Run& of)
      : given_(given), of_(of), camera_(scene_camera(given, scene())) {}

  /// With the scene's camera at its present pose, if the scene's is used.
  PictureOptions framed(PictureOptions options) const {
    if (camera_ != nullptr) options.camera = camera_now(*camera_, scene(), of_.world, drawn());
    return options;
  }
  /// The body of --follow, or else of the camera.
  std::optional<BodyHandle> followed() const {
    if (given_.follow) {
      const std::optional<BodyHandle> body = of_.world.find_body(*given_.follow, drawn());
      if (!body) throw InvalidArgument("--follow " + *given_.follow + ": there is no such body");
      return body;
    }
    if (camera_ == nullptr || !camera_->follow) return {};
    return of_.world.body_at(*camera_->follow, drawn());
  }

 private:
  std::uint32_t drawn() const { return given_.world.value_or(0); }
  const Scene& scene() const { return of_.sources[drawn() < of_.sources.size() ? drawn() : 0].scene; }

  const PictureArguments& given_;
  const Run& of_;
  const SceneCamera* camera_;
};

int run(const RunOptions& options) {
  if (options.scene.empty() == options.resume.empty()) {
    throw InvalidArgument("run takes a SCENE, or --resume FILE in place of one");
  }
  if (options.worlds > 1 && !options.state.empty()) {
    throw InvalidArgument("--worlds " + std::to_string(options.worlds) + ": --state is of one world");
  }
  const Device device = Device::parse(options.device, options.threads);
  note_stop_signals();
  Run made = options.resume.empty() ? begin(options, device) : resume(options, device);
  // all checks come before the first step
  check_files_of(options, made);
  World& world = made.world;
  const PictureOptions of_picture = picture_options(options.picture, world.world_count());
  const Cameraman cameraman(options.picture, made);
  std::optional<Video> video;
  if (!options.picture.video.empty()) {
    const PictureArguments& given = options.picture;
    video.emplace(given.video, given.fps, world, cameraman.framed(video_options(given, world.world_count())),
                  given.orbit, cameraman.followed());
  }
  const RunState& state = made.state;

  Judge judge(made.sources);
  judge.observe(state.excursions);
  const std::string checkpoint = checkpoint_of(options);
  const Progress progress = progress_line(state.steps, world.report().steps);
  const auto save_checkpoint = [&] {
    RunState now = state;
    now.excursions = judge.excursions();
    write_checkpoint(checkpoint, world.snapshot(), now);
  };
  const auto after = [&](std::uint64_t step) {
    if (video) video->show(world);
    if (!checkpoint.empty() && step % state.every == 0) writing(save_checkpoint);
    if (progress) progress(step);
  };
  if (video) video->show(world);
  if (!options.record.empty()) world.start_recording();
  Outcome outcome =
      simulate(world, made.sources, judge, state.steps, options.timings, after, [] { return stop_signal() != 0; });
  outcome.seed = state.seed;
  const bool stopped = outcome.report.steps < state.steps;

  Written written;
  if (stopped) written.file("checkpoint", checkpoint, save_checkpoint);
  written.file("recording", options.record, [&] { world.stop_recording().save(options.record); });
  written.file("states", options.state, [&] {
    const bool csv = std::filesystem::path(options.state).extension() == ".csv";
    write_whole_file(options.state, csv ? states_csv(world) : states_json(world));
  });
  written.file("picture", options.picture.picture,
               [&] { write_picture(world, options.picture.picture, cameraman.framed(of_picture)); });
  written.file("video", options.picture.video, [&] { video->finish(); });
  const std::string text = options.json ? outcome_json(outcome).dump(2) + "\n" : summary(outcome);
  std::fputs(text.c_str(), stdout);
  if (stopped) {
    clear_line();
    std::fprintf(stderr, "cairn: stopped by %s after step %llu of %llu; written: %s\n",
                 name_of_signal(stop_signal()).c_str(), static_cast<unsigned long long>(outcome.report.steps),
                 static_cast<unsigned long long>(state.steps),
                 written.list().empty() ? "no file" : written.list().c_str());
  }
  written.check();
  if (stopped) return kStopped + stop_signal();
  return outcome.report.status != 0 || !outcome.quality.finite ? kStatusRaised : kGood;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scene");
  command->add_option("SCENE", options->scene,
                      "a scene file, or a built-in scene such as tower:height=20 (cairn scenes)");
  auto* resumed = command->add_option("--resume", options->resume, "go on from FILE, a checkpoint, to the run's end");
  add_device_options(*command, options->device, options->threads);
  command->add_option("--solver", options->solver, rules::any_word<SolverKind>() + "; else what the scene says");
  command->add_option("--dt", options->dt, "step in seconds; else what the scene says");
  command->add_option("--substeps", options->substeps, "substeps a step; else what the scene says");
  auto* steps = command->add_option("--steps", options->steps, "steps to take")->transform(whole_number(0, kMaxSteps));
  command->add_option("--seconds", options->seconds, "time to simulate [s] (default: 10)")
      ->transform(number(0, std::numeric_limits<double>::max()))
      ->excludes(steps);
  command->add_option("--seed", options->seed, "seed of the disturbance of a built-in scene; without it 1")
      ->transform(whole_number());
  command
      ->add_option("--worlds", options->worlds,
                   "worlds stepped together; those of a built-in scene have seeds that count up from --seed")
      ->transform(whole_number(1, 65535))
      ->capture_default_str();
  command->add_option("--set", options->settings, "key=value: any member of a scene file's \"solver\"")
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--repair", options->repair,
                    "take the nearest inertia that a rigid body can have where a scene file has none such, and say so");
  command->add_flag("--json", options->json, "print one JSON object instead of the summary");
  command->add_flag("--timings", options->timings, "measure each stage of the step");
  command->add_option("--state", options->state, "write every body's state at the end to FILE.json or FILE.csv");
  add_picture_options(*command, options->picture);
  command->add_option("--record", options->record, "write to FILE what cairn replay needs");
  command->add_flag("--trace", options->trace, "record what each stage wrote too; slow");
  auto* checkpoint = command->add_option("--checkpoint", options->checkpoint,
                                         "write to FILE, as the run goes on, what --resume needs (else to --resume's)");
  command->add_option("--every", options->every, "steps between checkpoints")
      ->transform(whole_number(1, kMaxSteps))
      ->needs(checkpoint)
      ->capture_default_str();
  // options that a checkpoint has already
  for (const char* name :
       {"--solver", "--dt", "--substeps", "--steps", "--seconds", "--seed", "--worlds", "--set", "--every"}) {
    resumed->excludes(command->get_option(name));
  }
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace cairn::cli
