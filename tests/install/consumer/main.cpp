#include <cstdio>

#include <cairn/cairn.h>

// a ball dropped from rest: after one second, less than half its fall in the first half is a broken install
int main() {
  cairn::Scene scene;
  cairn::Body ball{.name = "ball", .position = {0, 0, 100}};
  ball.shapes.push_back({.geometry = cairn::Sphere{}});
  ball.mass = 1.0f;
  scene.add_body(ball);
  cairn::World world(scene, {.device = cairn::Device::cpu(1)});
  for (int i = 0; i < 60; ++i) world.step(1.0f / 60.0f);
  const double z = world.state(world.bodies()[0]).position.z;
  std::printf("cairn %s: the ball fell to %.3f m\n", cairn::kVersion, z);
  return z > 94.0 && z < 96.0 ? 0 : 1;
}
