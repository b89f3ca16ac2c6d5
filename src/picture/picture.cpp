#include "cairn/picture.h"

#include <algorithm>
#include <cmath>

#include "cairn/errors.h"
#include "cairn/world.h"
#include "src/exec/exact_floats.h"
#include "src/exec/thread_pool.h"
#include "src/picture/view.h"
#include "src/file/whole_file.h"

namespace cairn {
namespace {

void check(const PictureOptions& o) {
  const auto within = [](const char* what, int value, int low, int high) {
    if (value < low || value > high) {
      throw InvalidArgument(std::string("picture: ") + what + " must be within " + std::to_string(low) + ".." +
                            std::to_string(high) + ", is " + std::to_string(value));
    }
  };
  within("width", o.width, 1, 16384);
  within("height", o.height, 1, 16384);
  within("samples", o.samples, 1, 16);
  within("threads", o.threads, 0, 256);
}

}  // namespace

Image render(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up, const PictureOptions& options) {
  const exec::ExactFloats exact;
  check(options);
  if (bodies.size() != states.size()) {
    throw InvalidArgument("picture: " + std::to_string(states.size()) + " states given for " +
                          std::to_string(bodies.size()) + " bodies");
  }
  const double square = double{up.x} * up.x + double{up.y} * up.y + double{up.z} * up.z;
  if (!(square > 0) || !std::isfinite(square)) throw InvalidArgument("picture: up must have a direction");

  const picture::View view =
      picture::make_view(bodies, states, up, static_cast<double>(options.width) / options.height);
  Image image{options.width, options.height, {}};
  const auto pixels = static_cast<std::uint32_t>(options.width) * static_cast<std::uint32_t>(options.height);
  image.rgb.resize(std::size_t{3} * pixels);
  const kernels::DrawPixel draw{
      .scene = {view.shapes.data(), view.nodes.data(), view.planes.data(),
                static_cast<std::uint32_t>(view.shapes.size()), static_cast<std::uint32_t>(view.planes.size()),
                view.faces.data()},
      .camera = view.camera,
      .light = view.light,
      .glass = view.glass.data(),
      .glass_count = static_cast<std::uint32_t>(view.glass.size()),
      .width = static_cast<std::uint32_t>(options.width),
      .height = static_cast<std::uint32_t>(options.height),
      .samples = static_cast<std::uint32_t>(options.samples),
      .rgb = image.rgb.data()};
  exec::ThreadPool pool(options.threads > 0 ? options.threads : exec::ThreadPool::hardware_threads());
  pool.run(pixels, 256, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) draw(i);
  });
  return image;
}

Image render(const World& world, const PictureOptions& options) {
  const std::vector<BodyHandle> handles = world.bodies();
  std::vector<Body> bodies;
  bodies.reserve(handles.size());
  for (const BodyHandle handle : handles) bodies.push_back(world.scaled_description(handle));
  std::vector<BodyState> states(handles.size());
  world.read_states(states);
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const Vec3d origin = world.origin(world.world_of(handles[i]));
    Vec3d& x = states[i].position;
    x = {x.x + origin.x, x.y + origin.y, x.z + origin.z};
  }
  const Vec3 g = world.gravity();
  const bool weightless = g.x == 0 && g.y == 0 && g.z == 0;
  return render(bodies, states, weightless ? Vec3{0, 0, 1} : Vec3{-g.x, -g.y, -g.z}, options);
}

void write_picture(const World& world, const std::filesystem::path& file, const PictureOptions& options) {
  write_whole_file(file, png(render(world, options)));
}

}  // namespace cairn
