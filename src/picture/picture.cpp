#include "cairn/picture.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cairn/errors.h"
#include "cairn/world.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "src/exec/exact_floats.h"
#include "src/exec/thread_pool.h"
#include "src/file/whole_file.h"
#include "src/picture/view.h"

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

Image render(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up, const PictureOptions& options,
             std::span<const Joint> joints) {
  const exec::ExactFloats exact;
  check(options);
  if (bodies.size() != states.size()) {
    throw InvalidArgument("picture: " + std::to_string(states.size()) + " states given for " +
                          std::to_string(bodies.size()) + " bodies");
  }
  for (const Joint& joint : joints) {
    for (const std::uint32_t body : {joint.body_a, joint.body_b}) {
      if (body == kWorldBody || body < states.size()) continue;
      throw InvalidArgument("picture: joint \"" + joint.name + "\": there is no body " + std::to_string(body));
    }
  }
  const double square = double{up.x} * up.x + double{up.y} * up.y + double{up.z} * up.z;
  if (!(square > 0) || !std::isfinite(square)) throw InvalidArgument("picture: up must have a direction");

  const picture::View view =
      picture::make_view(bodies, states, up, static_cast<double>(options.width) / options.height, joints);
  Image image{options.width, options.height, {}};
  const auto pixels = static_cast<std::uint32_t>(options.width) * static_cast<std::uint32_t>(options.height);
  image.rgb.resize(std::size_t{3} * pixels);
  const kernels::DrawPixel draw{
      .scene = {view.shapes.data(), view.nodes.data(), view.planes.data(),
                static_cast<std::uint32_t>(view.shapes.size()), static_cast<std::uint32_t>(view.planes.size()),
                view.faces.data()},
      .camera = view.camera,
      .light = view.light,
      .marks = {view.marks.data(), view.mark_nodes.data(), nullptr, static_cast<std::uint32_t>(view.marks.size()), 0},
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

namespace {

/// Joints that hold still something, with their bodies by their places among all bodies of the World.
std::vector<Joint> joints_of(const World& world) {
  std::vector<Joint> joints;
  std::unordered_map<std::uint32_t, std::uint32_t> place_of;
  std::uint32_t next = 0;
  for (const BodyHandle body : world.bodies()) place_of[body.index] = next++;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    const Vec3d origin = world.origin(w);
    const auto move = [&](Vec3d& x) { x = {x.x + origin.x, x.y + origin.y, x.z + origin.z}; };
    const auto place = [&](std::uint32_t& body, JointFrame& frame) {
      if (body == kWorldBody) {
        move(frame.position);
        return;
      }
      const BodyHandle handle = world.body_at(body, w);
      const double size =
          static_cast<double>(world.scales().get(w).size) * static_cast<double>(world.scales().get(handle).size);
      frame.position = {size * frame.position.x, size * frame.position.y, size * frame.position.z};
      body = place_of.at(handle.index);
    };
    for (const JointHandle handle : world.joints(w)) {
      Joint joint = world.description(handle);
      if (std::holds_alternative<GearJoint>(joint.kind) || world.state(handle).broken) continue;
      const auto off = [&](std::uint32_t id) {
        return id != kWorldBody && !world.description(world.body_at(id, w)).enabled;
      };
      if (off(joint.body_a) || off(joint.body_b)) continue;
      place(joint.body_a, joint.frame_a);
      place(joint.body_b, joint.frame_b);
      if (auto* pulley = std::get_if<PulleyJoint>(&joint.kind)) {
        move(pulley->ground_a);
        move(pulley->ground_b);
      }
      joints.push_back(std::move(joint));
    }
  }
  return joints;
}

/// Particles of fluids as large as the room that they take: solids meet a smaller sphere.
void swell_fluids(const World& world, const std::vector<BodyHandle>& handles, std::vector<Body>& bodies) {
  std::unordered_map<std::uint32_t, Body*> body_of;
  for (std::size_t i = 0; i < handles.size(); ++i) body_of[handles[i].index] = &bodies[i];
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    for (const ParticlesHandle set : world.particles().list(w)) {
      const std::optional<Fluid>& fluid = world.description(set).fluid;
      if (!fluid) continue;
      for (const BodyHandle particle : world.bodies(set)) {
        if (world.alive(particle)) body_of.at(particle.index)->shapes[0].geometry = Sphere{0.5f * fluid->spacing};
      }
    }
  }
}

}  // namespace

Image render(const World& world, const PictureOptions& options) {
  const std::vector<BodyHandle> handles = world.bodies();
  std::vector<Body> bodies;
  bodies.reserve(handles.size());
  for (const BodyHandle handle : handles) bodies.push_back(world.scales().description(handle));
  swell_fluids(world, handles, bodies);
  std::vector<BodyState> states(handles.size());
  world.read_states(states);
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const Vec3d origin = world.origin(world.world_of(handles[i]));
    Vec3d& x = states[i].position;
    x = {x.x + origin.x, x.y + origin.y, x.z + origin.z};
  }
  const Vec3 g = world.gravity();
  const bool weightless = g.x == 0 && g.y == 0 && g.z == 0;
  return render(bodies, states, weightless ? Vec3{0, 0, 1} : Vec3{-g.x, -g.y, -g.z}, options, joints_of(world));
}

void write_picture(const World& world, const std::filesystem::path& file, const PictureOptions& options) {
  write_whole_file(file, png(render(world, options)));
}

}  // namespace cairn
