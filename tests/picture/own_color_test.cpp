// Colours that scenes give to bodies, links and particles.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/picture.h"
#include "cairn/world.h"
#include "src/picture/view.h"
#include "tests/particles/sets.h"
#include "tests/support/builders.h"
#include "tests/support/refusal.h"

namespace cairn::picture_test {
namespace {

using testing_support::ball;
using testing_support::box;
using testing_support::cpu;
using testing_support::plane;
using testing_support::refuses;

constexpr Vec3 kZ{0, 0, 1}, kRed{1, 0, 0}, kTeal{0, 0.5f, 0.6f};

picture::View view_of(const std::vector<Body>& bodies) {
  const std::vector<BodyState> states = testing_support::starts(bodies);
  return picture::make_view({bodies, states, kZ}, {});
}

/// What a picture throws back of a colour: its gamma is 2, and nothing throws back all.
Vec3 seen(Vec3 color) {
  const auto channel = [](float v) { return std::min(v * v, 0.95f); };
  return {channel(color.x), channel(color.y), channel(color.z)};
}

TEST(OwnColor, of_a_body_is_that_of_its_picture_whatever_its_type) {
  for (const BodyType type : {BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic}) {
    Body body = box("a", {}, type);
    body.color = kTeal;
    EXPECT_EQ(view_of({body}).shapes[0].color, seen(kTeal));
    EXPECT_EQ(picture_color(body, 7), seen(kTeal));
    body.color.reset();
    EXPECT_EQ(picture_color(body, 7), picture_color(7, type == BodyType::kDynamic));
  }
}

TEST(OwnColor, of_planes_and_surfaces_is_drawn) {
  Body floor = plane();
  const Vec3 usual = view_of({floor}).light.ground;
  floor.color = kTeal;
  EXPECT_EQ(view_of({floor}).light.ground, seen(kTeal));
  EXPECT_NE(usual, seen(kTeal));
  Body land =
      testing_support::body("land", HeightField(2, 2, 1, std::vector<float>{0, 0, 0, 1}), {}, BodyType::kStatic);
  land.color = kRed;
  for (const auto& triangle : view_of({land}).shapes) EXPECT_EQ(triangle.color, seen(kRed));
}

TEST(OwnColor, is_given_to_the_bodies_of_links_and_particles) {
  Scene scene;
  Articulation arm{.name = "arm"};
  arm.links.push_back({.name = "link", .joint = {.kind = ArticulationJointKind::kRevolute}, .mass = 1});
  arm.links[0].inertia.moments = {1, 1, 1};
  arm.links[0].shapes = {{Box{}}};
  arm.links[0].color = kRed;
  scene.add_articulation(arm);
  ParticleSet cloth = particles_test::sheet(3, 0.1, 1.5, {}, {});
  cloth.color = kTeal;
  scene.add_particles(cloth);
  EXPECT_EQ(scene.bodies()[0].color, kRed);
  for (std::size_t i = 1; i < scene.bodies().size(); ++i) EXPECT_EQ(scene.bodies()[i].color, kTeal);
  // red is nowhere but on the link, and a cloth is drawn in the colour of its set
  World world(scene, cpu());
  const PictureOptions options{
      .width = 64, .height = 48, .samples = 1, .camera = PictureCamera{{0, -6, 1}, {0, 0, 0.8}, 40}};
  const Image colored = render(world, options);
  Body link = world.description(world.bodies()[0]);
  EXPECT_EQ(link.color, kRed);
  int red = 0;
  for (std::size_t i = 0; i < colored.rgb.size(); i += 3)
    red += colored.rgb[i] > 2 * colored.rgb[i + 1] && colored.rgb[i] > 2 * colored.rgb[i + 2] ? 1 : 0;
  EXPECT_GT(red, 20);
}

TEST(OwnColor, moves_nothing_and_stays_in_snapshots) {
  Scene plain, colored;
  for (Scene* scene : {&plain, &colored}) {
    scene->add_body(plane());
    for (int i = 0; i < 5; ++i) {
      Body body = ball("ball" + std::to_string(i), {0.1 * i, 0, 0.6 + i});
      if (scene == &colored) body.color = Vec3{0.1f * static_cast<float>(i), 0, 1};
      scene->add_body(body);
    }
  }
  World a(plain, cpu()), b(colored, cpu());
  for (World* world : {&a, &b}) testing_support::run(*world, 60);
  EXPECT_EQ(a.state_hash(), b.state_hash());
  World again(Snapshot::from_bytes(b.snapshot().to_bytes(), "bytes"), cpu());
  EXPECT_EQ(again.description(again.bodies()[4]).color, (Vec3{0.1f * 3, 0, 1}));
  // and may be changed while it runs
  Body blue = again.description(again.bodies()[4]);
  blue.color = Vec3{0, 0, 1};
  again.set_body(again.bodies()[4], blue);
  EXPECT_EQ(again.description(again.bodies()[4]).color, (Vec3{0, 0, 1}));
  // any edit rounds the body's orientation to floats
  b.set_body(b.bodies()[4], b.description(b.bodies()[4]));
  b.step();
  again.step();
  EXPECT_EQ(again.state_hash(), b.state_hash());
}

TEST(OwnColor, is_refused_outside_of_its_range) {
  for (const Vec3 wrong : {Vec3{-0.1f, 0, 0}, Vec3{0, 1.1f, 0}, Vec3{0, 0, std::nanf("")}}) {
    Scene scene;
    Body body = box("a", {});
    body.color = wrong;
    EXPECT_TRUE(refuses([&] { scene.add_body(body); }, {"body \"a\": color."}));
  }
}

}  // namespace
}  // namespace cairn::picture_test
