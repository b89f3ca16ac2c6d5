#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <set>

#include <xxhash.h>

#include "scenes/builtin.h"
#include "src/file/whole_file.h"
#include "src/picture/view.h"
#include "tests/support/builders.h"
#include "tests/support/float_mode.h"

namespace cairn::picture_test {
namespace {

using testing_support::starts;

constexpr Vec3 kUp{0, 0, 1};

Image render_start(const Scene& scene, const PictureOptions& options) {
  return render(scene.bodies(), starts(scene.bodies()), kUp, options);
}

std::array<int, 3> pixel(const Image& image, int x, int y) {
  const std::size_t i = std::size_t{3} * (static_cast<std::size_t>(y) * image.width + x);
  return {image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]};
}

// The pixels depend on nothing but IEEE arithmetic, so that they are the same bits with every compiler, level and
// architecture.
TEST(Picture, of_each_scene_has_its_golden_hash_for_any_number_of_threads) {
  const std::vector<std::pair<const char*, std::uint64_t>> golden{{"rain:count=60,kinds=3", 0x8f6c7560146e0559},
                                                                  {"shapes", 0x1bf3abf749a252d5},
                                                                  {"wall:base=6", 0xd377373d64852629},
                                                                  {"cloth", 0x37f9c7cb51d32525},
                                                                  {"rope", 0x7c89991c0974ce56},
                                                                  {"jelly", 0xe184fab55b5a9a00},
                                                                  {"dam_break:side=8", 0xf38c57e9880afce7},
                                                                  {"wrecking:pyramids=2,rows=4", 0x10a5584483f1b00c},
                                                                  {"ragdolls:count=2", 0xabc465de3f46c5a2},
                                                                  {"terrain:count=20,size=16", 0x1e59ba011b403199},
                                                                  {"hulls:count=20,vertices=12", 0xe26f3bc8a852d105},
                                                                  {"silo", 0xa7edb04a3073d5ce}};
  for (const auto& [name, hash] : golden) {
    World world(scenes::make(name, 1), {.device = Device::cpu(1)});
    testing_support::run(world, 20);
    const Image image = render(world, {.width = 96, .height = 54, .samples = 2, .threads = 1});
    EXPECT_EQ(XXH3_64bits(image.rgb.data(), image.rgb.size()), hash) << name;
    EXPECT_EQ(render(world, {.width = 96, .height = 54, .samples = 2, .threads = 3}).rgb, image.rgb) << name;
  }
}

// A particle of a fluid meets solids with a smaller sphere than it takes room.
TEST(Picture, shows_particles_of_fluids_by_their_spacing) {
  Scene scene;
  scene.add_body(testing_support::body("box", Box{{0.1f, 0.1f, 0.1f}}, {0.5, 0, 0}));
  ParticleSet water{.name = "water", .positions = {{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0.1}}, .radius = 0.025f};
  water.fluid = Fluid{.spacing = 0.1f};
  scene.add_particles(water);
  World world(scene, {.device = Device::cpu(1)});
  const auto first = world.bodies(world.particles().list()[0])[0];
  std::vector<Body> shown = scene.bodies();
  for (std::size_t i = 1; i < shown.size(); ++i) shown[i].shapes[0].geometry = Sphere{0.05f};
  const PictureOptions small{
      .width = 96, .height = 54, .samples = 1, .camera = PictureCamera{{0.2, -3, 0.2}, {0.2, 0, 0}}};
  // a drop has the colour of water and no ring; where it is, its shadow and what it hides are those of a sphere
  std::vector<BodyState> states = starts(scene.bodies());
  const Image bare = render(std::span(scene.bodies()).first(1), std::span(states).first(1), kUp, small);
  const auto differs = [&](const Image& image) {
    std::vector<bool> is(image.rgb.size() / 3);
    for (std::size_t i = 0; i < image.rgb.size(); ++i) is[i / 3] = is[i / 3] || image.rgb[i] != bare.rgb[i];
    return is;
  };
  EXPECT_EQ(differs(render(world, small)), differs(render(shown, starts(scene.bodies()), kUp, small)));
  EXPECT_NE(differs(render(world, small)), differs(render_start(scene, small)));
  world.remove_body(first);
  shown.erase(shown.begin() + 1);
  states.erase(states.begin() + 1);
  EXPECT_EQ(differs(render(world, small)), differs(render(shown, states, kUp, small)));
}

TEST(Picture, shows_what_is_in_a_sensor) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? 0.9f : -0.9f, k & 2 ? 0.9f : -0.9f, k & 4 ? 0.9f : -0.9f});
  const TriangleMesh cube(corners, {{{0, 2, 1},
                                     {1, 2, 3},
                                     {4, 5, 6},
                                     {5, 7, 6},
                                     {0, 1, 4},
                                     {1, 5, 4},
                                     {2, 6, 3},
                                     {3, 6, 7},
                                     {0, 4, 2},
                                     {2, 4, 6},
                                     {1, 3, 5},
                                     {3, 7, 5}}});
  const std::vector<BodyState> states(2);
  for (const Geometry& zone : {Geometry{Sphere{1}}, Geometry{cube}}) {
    std::vector<Body> bodies{
        {.name = "ball", .shapes = {{.geometry = Sphere{0.5f}}}, .mass = 1},
        {.name = "zone", .type = BodyType::kStatic, .shapes = {{.geometry = zone, .sensor = true}}}};
    const PictureOptions options{
        .width = 33, .height = 33, .samples = 1, .camera = PictureCamera{{0, -6, 0}, {0, 0, 0}, 30}};
    // beside the ball, of 5 pixels about the middle, and inside of the zone, of 10
    const auto beside = [&] { return pixel(render(bodies, states, kUp, options), 16, 8); };
    const std::array<int, 3> through = beside();
    bodies[1].shapes[0].sensor = false;
    const std::array<int, 3> solid = beside();
    bodies[1].enabled = false;
    const std::array<int, 3> alone = beside();
    int tint = 0, hidden = 0;
    for (int k = 0; k < 3; ++k) {
      tint = std::max(tint, std::abs(through[k] - alone[k]));
      hidden = std::max(hidden, std::abs(solid[k] - alone[k]));
    }
    // a twentieth of white over it, of a surface at the front and at the back
    EXPECT_GT(tint, 0);
    EXPECT_LT(tint, 30);
    EXPECT_GT(hidden, 2 * tint);
  }
}

TEST(Picture, gives_a_family_shades_of_one_colour) {
  const std::vector<Body> bodies(6, {.shapes = {{.geometry = Sphere{0.5f}}}, .mass = 1.0f});
  const std::vector<BodyState> states(6);
  const std::vector<std::uint32_t> family(6, 3);
  // of one colour red and blue have one ratio, however bright it is
  const auto ratios = [](const picture::View& view) {
    std::set<int> all;
    for (const auto& shape : view.shapes)
      all.insert(static_cast<int>(std::lround(1000 * shape.color.x / shape.color.z)));
    return all.size();
  };
  EXPECT_EQ(ratios(picture::make_view({bodies, states, kUp, {}, {}, family}, {})), 1u);
  EXPECT_GT(ratios(picture::make_view({bodies, states, kUp}, {})), 2u);
  EXPECT_EQ(picture::make_view({std::span(bodies).first(1), std::span(states).first(1), kUp}, {}).shapes[0].color,
            picture_color(0));
}

// The camera that a picture would choose for itself, so that those of a moving world can share it.
TEST(Picture, is_framed_by_the_camera_that_framing_tells) {
  World world(scenes::make("wall:base=6", 2));
  PictureOptions options{.width = 96, .height = 54, .samples = 1};
  const Image chosen = render(world, options);
  options = framing(world, options);
  const Image told = render(world, options);
  // but for what the rounding of a direction moves across an edge
  int differing = 0;
  for (std::size_t i = 0; i < told.rgb.size(); ++i) differing += std::abs(told.rgb[i] - chosen.rgb[i]) > 2 ? 1 : 0;
  EXPECT_LT(differing, 100);
  EXPECT_EQ(framing(world, options).camera, options.camera);
  EXPECT_EQ(framing(world, options).sun, options.sun);
  // from the other side, shadows fall elsewhere
  options.sun = Vec3{-options.sun->x, -options.sun->y, options.sun->z};
  EXPECT_NE(render(world, options).rgb, told.rgb);
  options.sun = Vec3{0, 0, 0};
  EXPECT_THROW(render(world, options), InvalidArgument);
}

TEST(Picture, of_joints_has_its_golden_hash) {
  const Scene scene = scenes::make("wheel_drop", 1);
  const PictureOptions options{.width = 96, .height = 54, .samples = 2};
  const Image image = render(scene.bodies(), starts(scene.bodies()), kUp, options, scene.joints());
  EXPECT_EQ(XXH3_64bits(image.rgb.data(), image.rgb.size()), 0x8f3861c63e974767u);
  EXPECT_NE(image.rgb, render_start(scene, options).rgb);
}

TEST(Picture, has_marks_of_joints_as_large_as_suits_the_smaller_body) {
  std::vector<Body> bodies(4);
  const float radii[]{3, 1, 3, 3};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].mass = 1.0f;
    bodies[i].position = {2.0 * static_cast<double>(i), 0, 0};
    bodies[i].shapes = {{.geometry = Sphere{radii[i]}}};
  }
  const std::vector<BodyState> states = starts(bodies);
  const std::vector<Joint> joints{{.name = "small", .body_a = 0, .body_b = 1, .kind = BallJoint{}},
                                  {.name = "large", .body_a = 2, .body_b = 3, .kind = BallJoint{}}};
  const picture::View view = picture::make_view({bodies, states, kUp, joints}, {});
  std::set<float> balls;
  for (const kernels::PictureShape& mark : view.marks) {
    if (mark.kind == kernels::ShapeKind::kSphere) balls.insert(mark.size.x);
  }
  ASSERT_EQ(balls.size(), 2u);
  EXPECT_LT(*balls.begin(), *balls.rbegin() / 2);
}

TEST(Picture, shows_the_joints_of_a_world_until_they_break) {
  Scene scene;
  for (const double z : {2.0, 1.0, 0.0}) {
    scene.add_body({.name = "ball " + std::to_string(z),
                    .type = z == 2 ? BodyType::kKinematic : BodyType::kDynamic,
                    .position = {0, 0, z},
                    .shapes = {{.geometry = Sphere{0.2f}}},
                    .mass = 1.0f});
  }
  // the second can't bear the ball
  for (std::uint32_t k = 0; k < 2; ++k) {
    Joint rod{.name = "rod " + std::to_string(k), .body_a = k, .body_b = k + 1, .kind = DistanceJoint{1, 1}};
    if (k == 1) rod.breaking_force = 1;
    scene.add_joint(rod);
  }
  const PictureOptions options{.width = 48, .height = 64, .samples = 1, .threads = 1};
  World world(scene);
  EXPECT_EQ(render(world, options).rgb,
            render(scene.bodies(), starts(scene.bodies()), kUp, options, scene.joints()).rgb);
  world.step();
  ASSERT_TRUE(world.state(world.joints()[1]).broken);
  const std::vector<BodyState> states = testing_support::states(world);
  const std::span<const Joint> whole(scene.joints().data(), 1);
  EXPECT_EQ(render(world, options).rgb, render(scene.bodies(), states, kUp, options, whole).rgb);

  // a body that went leaves its slot empty, and joints go on naming the others by theirs
  world.remove_body(world.bodies()[2]);
  EXPECT_EQ(render(world, options).rgb,
            render(std::span(scene.bodies()).first(2), std::span(states).first(2), kUp, options, whole).rgb);
  EXPECT_THROW(render(std::span(scene.bodies()).first(1), std::span(states).first(1), kUp, options, whole),
               InvalidArgument);
}

TEST(Picture, of_any_size_is_the_same_for_any_number_of_threads) {
  const auto expect_same = [](const char* spec, PictureOptions options, const std::vector<int>& threads) {
    const Scene scene = scenes::make(spec, 1);
    options.threads = 1;
    const Image one = render_start(scene, options);
    EXPECT_EQ(one.rgb.size(), std::size_t{3} * options.width * options.height);
    for (const int count : threads) {
      options.threads = count;
      EXPECT_EQ(render_start(scene, options).rgb, one.rgb) << spec << ", " << count << " threads";
    }
  };
  expect_same("pile:count=40", {.width = 61, .height = 37, .samples = 1}, {2, 3, 5});
  for (const int samples : {1, 3, 16}) {
    for (const auto& [width, height] : {std::pair{1, 1}, std::pair{40, 1}, std::pair{1, 40}})
      expect_same("wall:base=3", {.width = width, .height = height, .samples = samples}, {3});
  }
}

TEST(Picture, is_the_same_in_any_floating_point_mode_of_the_caller) {
  const Scene scene = scenes::make("pile:count=40", 1);
  const PictureOptions options{.width = 61, .height = 37, .samples = 2, .threads = 1};
  const Image wanted = render_start(scene, options);
  for (const testing_support::FloatMode mode : testing_support::float_modes()) {
    Image image;
    testing_support::in_mode(mode, [&] { image = render_start(scene, options); });
    EXPECT_EQ(image.rgb, wanted.rgb) << name_of(mode);
  }
}

TEST(Picture, is_the_same_wherever_the_scene_lies) {
  // 1e6 m is a multiple of the ground's lines, and doubles keep 1e-10 m there
  const Scene scene = scenes::make("slope", 1);
  auto states = starts(scene.bodies());
  const std::vector<Body> bodies = scene.bodies();
  const PictureOptions options{.width = 64, .height = 36, .samples = 1};
  const Image here = render(bodies, states, kUp, options);
  for (BodyState& s : states) s.position.x += 1e6;
  const Image there = render(bodies, states, kUp, options);
  int differing = 0;
  for (std::size_t i = 0; i < here.rgb.size(); ++i) differing += std::abs(here.rgb[i] - there.rgb[i]) > 2 ? 1 : 0;
  // roundings move the rare shadow ray past an edge
  EXPECT_LT(differing, static_cast<int>(here.rgb.size() / 200));
}

TEST(Picture, frames_the_bodies_with_a_margin) {
  // without gravity there is no ground: what isn't the body is the sky, which is the same along each row
  const Scene scene = scenes::make("spinner", 1);
  const Image image = render_start(scene, {.width = 160, .height = 90, .samples = 1});
  const auto is_sky = [&](int x, int y) {
    const auto p = pixel(image, x, y), edge = pixel(image, 0, y);
    return std::abs(p[0] - edge[0]) + std::abs(p[1] - edge[1]) + std::abs(p[2] - edge[2]) < 24;
  };
  EXPECT_FALSE(is_sky(80, 45)) << "the body is in the middle";
  for (int x = 0; x < 160; ++x) {
    EXPECT_TRUE(is_sky(x, 0)) << x;
    EXPECT_TRUE(is_sky(x, 89)) << x;
  }
}

TEST(Picture, leaves_out_a_body_that_is_not_finite) {
  const Scene scene = scenes::make("tower:height=3", 1);
  auto states = starts(scene.bodies());
  states.back().position.z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(render(scene.bodies(), states, kUp, {.width = 16, .height = 9, .samples = 1}));
}

TEST(Picture, of_nothing_is_a_sky) {
  const Image image = render({}, {}, kUp, {.width = 8, .height = 4, .samples = 1});
  EXPECT_EQ(pixel(image, 0, 0), pixel(image, 7, 0));
}

// A box of 1 m seen from 10 m along its axes fills as much of the picture as its angle does of the angle of view.
TEST(Picture, is_seen_from_where_the_camera_stands) {
  const std::vector<Body> bodies{{.name = "box", .shapes = {{.geometry = Box{}}}, .mass = 1}};
  const std::vector<BodyState> states{{.position = {100, -50, 30}}};
  PictureOptions options{.width = 200, .height = 100, .samples = 1};
  for (const Vec3d from : {Vec3d{10, 0, 0}, Vec3d{0, -10, 0}, Vec3d{0, 0, 10}}) {
    options.camera = PictureCamera{{100 + from.x, -50 + from.y, 30 + from.z}, {100, -50, 30}, 40};
    const Image image = render(bodies, states, kUp, options), empty = render({}, {}, kUp, options);
    const auto shows_box = [&](int x, int y) { return pixel(image, x, y) != pixel(empty, x, y) ? 1 : 0; };
    int across = 0, down = 0;
    for (int x = 0; x < 200; ++x) across += shows_box(x, 50);
    for (int y = 0; y < 100; ++y) down += shows_box(100, y);
    // half a metre at 9.5 m, of the tangent of 20 degrees to each side of 50 pixels
    const double half = 50 * (0.5 / 9.5) / std::tan(20 * std::numbers::pi / 180);
    EXPECT_NEAR(across, 2 * half, 2) << from.x << " " << from.y;
    EXPECT_NEAR(down, 2 * half, 2) << from.x << " " << from.y;
  }
  for (const PictureCamera& wrong : {PictureCamera{{0, 0, 1}, {0, 0, 1}}, PictureCamera{{0, 0, 1}, {0, 0, 0}, 151}}) {
    options.camera = wrong;
    EXPECT_THROW(render(bodies, states, kUp, options), InvalidArgument);
  }
  options.camera.reset();
  options.world = 0;
  EXPECT_THROW(render(bodies, states, kUp, options), InvalidArgument) << "of a World alone";
}

TEST(Picture, of_one_world_of_a_batch_is_that_of_the_world_alone) {
  const std::vector<Scene> scenes{testing_support::tower(2), testing_support::tower(4), testing_support::tower(3)};
  World batch(scenes);
  batch.set_origin({40, 0, 0}, 1);
  PictureOptions options{.width = 48, .height = 64, .samples = 1};
  const Image alone = render(World(scenes[1]), options);
  options.world = 1;
  EXPECT_EQ(render(batch, options).rgb, alone.rgb);
  options.world = 3;
  EXPECT_THROW(render(batch, options), InvalidArgument);
  options.world.reset();
  options.grid = PictureGrid{3, 1};
  const Image grid = render(batch, options);
  options.grid = PictureGrid{3, 2};
  EXPECT_EQ(render(batch, options).rgb, grid.rgb) << "of three worlds";
  options.grid = PictureGrid{2, 1};
  EXPECT_NE(render(batch, options).rgb, grid.rgb);
  options.grid = PictureGrid{.columns = 0};
  EXPECT_THROW(render(batch, options), InvalidArgument);
}

TEST(Picture, loses_nothing_that_is_smaller_than_a_pixel) {
  // red balls, 0.9 of a pixel of 1 cm wide, before the sky, each somewhere else among its pixels
  std::vector<Body> bodies(20);
  std::vector<BodyState> states;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].shapes = {Shape{Sphere{0.0045f}}};
    bodies[i].color = Vec3{1, 0, 0};
    bodies[i].position = {-0.45 + 0.0437 * static_cast<double>(i), 0.0, 0.0031 * static_cast<double>(i)};
    states.push_back({bodies[i].position, {}, {}, {}});
  }
  const PictureOptions options{
      .width = 100, .height = 100, .samples = 8, .camera = PictureCamera{{0, -1, 0}, {0, 0, 0}, 53.13f}};
  const Image image = render(bodies, states, kUp, options);
  for (const Body& body : bodies) {
    int most = 0;
    const int column = 50 + static_cast<int>(std::floor(100 * body.position.x)),
              row = 49 - static_cast<int>(std::floor(100 * body.position.z));
    for (int y = row - 1; y <= row + 1; ++y) {
      for (int x = column - 1; x <= column + 1; ++x) {
        const auto [red, green, blue] = pixel(image, x, y);
        most = std::max(most, red - blue);
      }
    }
    EXPECT_GT(most, 8) << body.position.x;
  }
}

TEST(Picture, a_wall_is_glass_where_it_hides_the_bodies_of_its_own_world) {
  // a ball behind a wall, and a hundred balls in the open
  std::vector<Body> bodies(102);
  bodies[0].type = BodyType::kStatic;
  bodies[0].shapes = {Shape{Box{{2, 0.1f, 2}}}};
  bodies[0].position = {0, -3, 0};
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    bodies[i].shapes = {Shape{Sphere{0.5f}}};
    bodies[i].position = {i == 1 ? 0.0 : 20 + 2 * static_cast<double>(i % 10),
                          i == 1 ? 0.0 : 2 * static_cast<double>(i / 10), 0};
  }
  const std::vector<BodyState> states = starts(bodies);
  std::vector<std::uint32_t> world(bodies.size(), 1);
  world[0] = world[1] = 0;
  picture::Subject of{bodies, states, kUp};
  const PictureOptions options{.camera = PictureCamera{{0, -30, 0}, {0, 0, 0}}};
  EXPECT_EQ(picture::make_view(of, options).glass.size(), 0u) << "one body of a hundred and one";
  of.world = world;
  EXPECT_EQ(picture::make_view(of, options).glass.size(), 1u);
}

TEST(Picture, refuses_options_out_of_range_by_name) {
  for (const PictureOptions& bad : {PictureOptions{.width = 0}, PictureOptions{.height = 20000},
                                    PictureOptions{.samples = 17}, PictureOptions{.threads = -1}}) {
    EXPECT_THROW(render({}, {}, kUp, bad), InvalidArgument);
  }
  EXPECT_THROW(render({}, {}, Vec3{0, 0, 0}, {}), InvalidArgument);
  EXPECT_THROW(render({}, std::vector<BodyState>(1), kUp, {}), InvalidArgument);
  EXPECT_THROW(png(Image{2, 2, {}}), InvalidArgument);
}

TEST(Picture, as_png_starts_with_the_signature_and_the_size) {
  const std::string bytes = png(render({}, {}, kUp, {.width = 260, .height = 3, .samples = 1}));
  ASSERT_GT(bytes.size(), 24u);
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\x01\x04\0\0\0\x03", 8));
}

TEST(WholeFile, replaces_what_was_there_and_leaves_nothing_else) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "cairn_whole_file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  write_whole_file(folder / "a.txt", "long content");
  write_whole_file(folder / "a.txt", std::string("a\0b", 3));
  std::ifstream in(folder / "a.txt", std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), std::string("a\0b", 3));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_THROW(write_whole_file(folder / "missing" / "b.txt", "x"), InvalidArgument);
  std::filesystem::create_directory(folder / "taken");
  EXPECT_THROW(write_whole_file(folder / "taken", "x"), InvalidArgument);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2) << "no draft stays behind";
}

}  // namespace
}  // namespace cairn::picture_test
