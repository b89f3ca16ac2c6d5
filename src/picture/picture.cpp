#include "cairn/picture.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cairn/errors.h"
#include "cairn/world.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "src/exec/exact_floats.h"
#include "src/exec/thread_pool.h"
#include "src/file/whole_file.h"
#include "src/picture/view.h"
#include "src/scene/camera_rules.h"
#include "src/scene/check_attributes.h"

namespace cairn {
namespace {

bool has_direction(Vec3 v) {
  const double square = double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z;
  return square > 0 && std::isfinite(square);
}

}  // namespace

void picture::refuse_faults(const PictureOptions& o) {
  rules::Checker check;
  rules::check_attributes(check, o);
  if (o.camera) rules::check_distance(check, *o.camera, "camera target", "");
  if (o.sun) check.require(has_direction(*o.sun), "sun", "", "must have a direction");
  check.require(!o.grid || !o.world, "world", "", "and grid can't both be given");
  if (check.fault) throw InvalidArgument("picture: " + check.fault->field + " " + check.fault->rule);
}

namespace {

Image draw(const picture::View& view, const PictureOptions& options) {
  Image image{options.width, options.height, {}};
  const auto width = static_cast<std::uint32_t>(options.width), height = static_cast<std::uint32_t>(options.height);
  image.rgb.resize(std::size_t{3} * width * height);
  std::vector<kernels::PixelLight> pixels(std::size_t{width} * height);
  const auto geometry = [&](const auto& shapes, const auto& nodes) {
    return kernels::PictureGeometry{
        shapes.data(), nodes.data(), nullptr, static_cast<std::uint32_t>(shapes.size()), 0, view.faces.data()};
  };
  kernels::TracePixel trace{.scene = geometry(view.shapes, view.nodes),
                            .camera = view.camera,
                            .light = view.light,
                            .marks = geometry(view.marks, view.mark_nodes),
                            .glass = geometry(view.glass, view.glass_nodes),
                            .width = width,
                            .height = height,
                            .samples = static_cast<std::uint32_t>(options.samples),
                            .pixels = pixels.data()};
  trace.scene.planes = view.planes.data();
  trace.scene.plane_count = static_cast<std::uint32_t>(view.planes.size());
  const kernels::ShowPixel show{trace, picture::has_less_than_pixels(view, options), image.rgb.data()};
  exec::ThreadPool pool(options.threads > 0 ? options.threads : exec::ThreadPool::hardware_threads());
  const auto each = [&](const auto& functor) {
    pool.run(width * height, 256, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) functor(i);
    });
  };
  each(trace);
  each(show);
  return image;
}

}  // namespace

Image render(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up, const PictureOptions& options,
             std::span<const Joint> joints) {
  const exec::ExactFloats exact;
  picture::refuse_faults(options);
  if (options.world || options.grid) throw InvalidArgument("picture: world and grid are for pictures of a World");
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
  if (!has_direction(up)) throw InvalidArgument("picture: up must have a direction");
  return draw(picture::make_view({bodies, states, up, joints}, options), options);
}

namespace {

/// Worlds of a World that are drawn, and the place of each.
struct Shown {
  std::vector<std::uint32_t> worlds;
  std::vector<Vec3d> places;                             ///< [m] (worlds of the World)
  std::vector<BodyHandle> handles;                       ///< of their bodies
  std::unordered_map<std::uint32_t, std::uint32_t> row;  ///< row of a body among these, by its handle's index
};

void move(Vec3d& x, const Vec3d& by) { x = {x.x + by.x, x.y + by.y, x.z + by.z}; }

Shown shown_of(const World& world, const PictureOptions& options) {
  Shown shown;
  const std::uint32_t count = world.world_count();
  for (std::uint32_t w = 0; w < count; ++w) shown.places.push_back(world.origin(w));
  if (options.world) {
    if (*options.world >= count) {
      throw InvalidArgument("picture: world " + std::to_string(*options.world) + ": there are " +
                            std::to_string(count));
    }
    shown.worlds = {*options.world};
  } else {
    const std::uint64_t all = options.grid ? std::uint64_t{options.grid->columns} * options.grid->rows : count;
    for (std::uint32_t w = 0; w < std::min<std::uint64_t>(all, count); ++w) shown.worlds.push_back(w);
  }
  for (const std::uint32_t w : shown.worlds) {
    for (const BodyHandle body : world.bodies(w)) {
      shown.row[body.index] = static_cast<std::uint32_t>(shown.handles.size());
      shown.handles.push_back(body);
    }
  }
  return shown;
}

/// Places worlds on a grid, on axes across `up`.
void place_on_grid(const PictureGrid& grid, Vec3 up, std::span<const Body> bodies, std::span<const BodyState> states,
                   const World& world, Shown& shown) {
  double spacing = grid.spacing;
  if (spacing == 0) {
    std::size_t first = 0;
    for (const std::uint32_t w : shown.worlds) {
      const std::size_t count = world.body_count(w);
      spacing = std::max(spacing, picture::width_of(bodies.subspan(first, count), states.subspan(first, count), up));
      first += count;
    }
  }
  const auto [x, y] = picture::level_axes(up);
  for (const std::uint32_t w : shown.worlds) {
    const double right = spacing * (w % grid.columns), back = -spacing * (w / grid.columns);
    shown.places[w] = {right * x.x + back * y.x, right * x.y + back * y.y, right * x.z + back * y.z};
  }
}

/// Unbroken joints, with their bodies by row.
std::vector<Joint> joints_of(const World& world, const Shown& shown) {
  std::vector<Joint> joints;
  for (const std::uint32_t w : shown.worlds) {
    const Vec3d origin = shown.places[w];
    const auto place = [&](std::uint32_t& body, JointFrame& frame) {
      if (body == kWorldBody) {
        move(frame.position, origin);
        return;
      }
      const BodyHandle handle = world.body_at(body, w);
      const double size =
          static_cast<double>(world.scales().get(w).size) * static_cast<double>(world.scales().get(handle).size);
      frame.position = {size * frame.position.x, size * frame.position.y, size * frame.position.z};
      body = shown.row.at(handle.index);
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
        move(pulley->ground_a, origin);
        move(pulley->ground_b, origin);
      }
      joints.push_back(std::move(joint));
    }
  }
  return joints;
}

/// The drawn things of a World, at present.
class Seen {
 public:
  Seen(const World& world, const PictureOptions& options) : world_(world), shown_(shown_of(world, options)) {
    bodies_.reserve(shown_.handles.size());
    for (const BodyHandle handle : shown_.handles) {
      bodies_.push_back(world.scales().description(handle));
      in_world_.push_back(world.world_of(handle));
    }
    for (const std::uint32_t w : shown_.worlds) {
      const std::size_t first = states_.size();
      states_.resize(first + world.body_count(w));
      world.read_states(w, std::span(states_).subspan(first));
    }
    const Vec3 g = world.gravity(shown_.worlds.front());
    const bool weightless = g.x == 0 && g.y == 0 && g.z == 0;
    up_ = weightless ? Vec3{0, 0, 1} : Vec3{-g.x, -g.y, -g.z};
    if (options.grid) place_on_grid(*options.grid, up_, bodies_, states_, world, shown_);
    for (std::size_t i = 0; i < states_.size(); ++i) move(states_[i].position, shown_.places[in_world_[i]]);
    for (const std::uint32_t w : shown_.worlds) {
      for (const ParticlesHandle set : world.particles().list(w)) add_skin(set);
    }
    if (options.joints) joints_ = joints_of(world, shown_);
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) family_.push_back(i);
    for (const std::uint32_t w : shown_.worlds) {
      for (const ArticulationHandle robot : world.articulations().list(w)) {
        std::optional<std::uint32_t> first;
        for (const BodyHandle link : world.bodies(robot)) {
          if (!link) continue;
          const std::uint32_t row = shown_.row.at(link.index);
          if (!first) first = row;
          family_[row] = *first;
        }
      }
    }
  }

  picture::Subject subject() const { return {bodies_, states_, up_, joints_, skins_, family_, in_world_}; }

 private:
  /// Adds the skin of a set of particles. Fluid particles are drawn as large as their volume: for solids they are
  /// smaller spheres.
  void add_skin(ParticlesHandle set) {
    const ParticleSet& of = world_.description(set);
    std::vector<std::uint32_t> rows;
    std::vector<std::optional<picture::Double3>> at;
    double radius = 0;
    for (const BodyHandle particle : world_.bodies(set)) {
      const bool here = world_.alive(particle);
      rows.push_back(here ? shown_.row.at(particle.index) : 0);
      at.emplace_back();
      if (!here || !bodies_[rows.back()].enabled) continue;
      const picture::Double3 x = picture::wide(states_[rows.back()].position);
      if (std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z)) at.back() = x;
      Geometry& sphere = bodies_[rows.back()].shapes[0].geometry;
      if (of.fluid) sphere = Sphere{0.5f * of.fluid->spacing};
      radius = static_cast<double>(std::get<Sphere>(sphere).radius);
    }
    picture::Skin skin = of.fluid ? picture::surface_of(*of.fluid, at)
                                  : picture::skin_of(of, radius, at, world_.particles().broken_constraints(set));
    for (std::uint32_t& particle : skin.covered) particle = rows[particle];
    skin.body = rows.empty() ? 0 : rows.front();
    skin.color = of.color;
    skins_.push_back(std::move(skin));
  }

  const World& world_;
  Shown shown_;
  std::vector<Body> bodies_;
  std::vector<BodyState> states_;
  std::vector<Joint> joints_;
  std::vector<picture::Skin> skins_;
  std::vector<std::uint32_t> family_, in_world_;
  Vec3 up_;
};

}  // namespace

PictureOptions framing(const World& world, const PictureOptions& options) {
  const exec::ExactFloats exact;
  picture::refuse_faults(options);
  const picture::View view = picture::make_view(Seen(world, options).subject(), options);
  PictureOptions chosen = options;
  chosen.camera = view.seen_from;
  chosen.sun = view.light.sun;
  return chosen;
}

Image render(const World& world, const PictureOptions& options) {
  const exec::ExactFloats exact;
  picture::refuse_faults(options);
  const Seen seen(world, options);
  return draw(picture::make_view(seen.subject(), options), options);
}

PictureCamera camera_now(const SceneCamera& camera, const Scene& scene, const World& world, std::uint32_t in) {
  const exec::ExactFloats exact;
  if (in >= world.world_count()) {
    throw InvalidArgument("camera \"" + camera.name + "\": there is no world " + std::to_string(in) + ", there are " +
                          std::to_string(world.world_count()));
  }
  Vec3d moved = world.origin(in);
  if (camera.follow) {
    if (*camera.follow >= scene.bodies().size()) {
      throw InvalidArgument("camera \"" + camera.name + "\": follows body " + std::to_string(*camera.follow) +
                            ", and the scene has " + std::to_string(scene.bodies().size()));
    }
    const std::vector<BodyHandle> bodies = world.bodies(in);
    const auto body = std::ranges::find_if(bodies, [&](BodyHandle b) { return world.index_of(b) == *camera.follow; });
    if (body != bodies.end()) {
      const Vec3d now = world.state(*body).position, then = scene.bodies()[*camera.follow].position;
      moved = {moved.x + now.x - then.x, moved.y + now.y - then.y, moved.z + now.z - then.z};
    }
  }
  PictureCamera view = camera.view;
  move(view.eye, moved);
  move(view.target, moved);
  return view;
}

Vec3 picture_color(std::uint32_t body, bool dynamic) {
  const exec::ExactFloats exact;
  return dynamic ? picture::body_color(body, body) : picture::static_color();
}

Vec3 picture_color(const Body& body, std::uint32_t index) {
  const exec::ExactFloats exact;
  return picture::color_of_body(body, index, index);
}

void write_picture(const World& world, const std::filesystem::path& file, const PictureOptions& options) {
  write_whole_file(file, png(render(world, options)));
}

}  // namespace cairn
