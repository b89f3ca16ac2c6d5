// Arrays, streams and graphs of the user's on a CUDA device: the same bits as on the CPU.

#include "cairn/device_arrays.h"
#include "cairn/queries.h"
#include "tests/interop/arrays.h"
#include "tests/parity_gpu/on_stream.h"

namespace cairn::parity {
namespace {

using testing_support::disturbed;
using testing_support::HostArray;
using testing_support::HostStates;
using testing_support::Placed;
using testing_support::worlds_of_all_kinds;

struct DeviceStates {
  DeviceStates(const HostStates<double>& from, const Device& device)
      : position(from.position.data, device),
        orientation(from.orientation.data, device),
        linear(from.linear.data, device),
        angular(from.angular.data, device) {}
  StateArrays arrays() { return {position.view(3), orientation.view(4), linear.view(3), angular.view(3)}; }
  bool operator==(const HostStates<double>& host) const {
    return position.read() == host.position.data && orientation.read() == host.orientation.data &&
           linear.read() == host.linear.data && angular.read() == host.angular.data;
  }
  Placed<double> position, orientation, linear, angular;
};

class GpuInterop : public GpuOnStream {};

TEST_F(GpuInterop, a_world_on_the_users_stream_ends_in_the_same_bits) {
  const std::vector<Scene> scenes = worlds_of_all_kinds();
  World cpu(scenes, on(Device::cpu())), own(scenes, on_stream(false));
  WorldOptions legacy = on(gpu);
  legacy.stream = cudaStreamLegacy;
  World by_default(scenes, legacy);
  for (World* world : {&cpu, &own, &by_default}) run(*world, 120);
  EXPECT_EQ(own.state_hashes(), cpu.state_hashes());
  EXPECT_EQ(by_default.state_hashes(), cpu.state_hashes());
}

TEST_F(GpuInterop, states_through_arrays_are_those_of_the_cpu) {
  const std::vector<Scene> scenes = worlds_of_all_kinds();
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(false));
  const std::vector<std::uint8_t> some{1, 0, 1}, last{0, 0, 1};
  Placed<std::uint8_t> gpu_some(some, gpu), gpu_last(last, gpu);
  step_both(cpu, cuda, 40);
  HostStates<double> host(disturbed(cpu));
  DeviceStates device(host, gpu);
  cpu.arrays().set_states(host.arrays(), some.data());
  cuda.arrays().set_states(device.arrays(), gpu_some.data());
  EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
  cpu.arrays().reset(last.data());
  cuda.arrays().reset(gpu_last.data());
  step_both(cpu, cuda, 60);
  cpu.arrays().get_states(host.arrays());
  cuda.arrays().get_states(device.arrays());
  cuda.wait();
  EXPECT_TRUE(device == host);
  EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
}

TEST_F(GpuInterop, a_captured_step_launched_again_and_again_is_the_step) {
  const std::vector<Scene> scenes = worlds_of_all_kinds();
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(true));
  HostStates<double> host(testing_support::states(cpu));
  DeviceStates device(host, gpu);
  // all contacts that there will be come before the capture; then the worlds start over
  run(cuda, 240);
  cuda.arrays().get_states(device.arrays());
  cuda.reset();
  cuda.wait();
  const std::uint64_t before = cuda.report().steps;
  capture([&] {
    cuda.step();
    cuda.arrays().get_states(device.arrays());
  });
  EXPECT_EQ(cuda.report().steps, before);
  const auto both = [&](int times) {
    launch(times);
    run(cpu, times);
  };
  both(61);
  EXPECT_EQ(cuda.report().steps, before + 61);
  EXPECT_EQ(cuda.report(1).time, cpu.report(1).time);
  cpu.arrays().get_states(host.arrays());
  EXPECT_TRUE(device == host);
  // edits and steps outside the graph, in between
  for (World* world : {&cpu, &cuda}) {
    world->step();
    world->set_pose(world->bodies(1)[2], {0, 0, 7}, {});
  }
  both(30);
  for (World* world : {&cpu, &cuda}) {
    run(*world, 3);
    world->reset(2);
    world->add_force(world->bodies(0)[1], {0, 0, 2e4f});
  }
  both(60);
  EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
  EXPECT_EQ(cuda.contacts().size(), cpu.contacts().size());
}

TEST_F(GpuInterop, rays_through_arrays_are_those_of_the_cpu_in_a_graph_too) {
  const std::vector<Scene> scenes = worlds_of_all_kinds();
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(true));
  constexpr std::size_t kRays = 300;
  HostArray<double> place(kRays, 3), distance(kRays, 1), normal(kRays, 3);
  for (std::size_t i = 0; i < kRays; ++i) {
    place.at(i, 0) = 0.01 * static_cast<double>(i) - 0.5;
    place.at(i, 1) = 0.003 * static_cast<double>(i) - 0.5;
    place.at(i, 2) = 20;
  }
  Placed<double> gpu_place(place.data, gpu), gpu_distance(distance.data, gpu), gpu_normal(normal.data, gpu);
  const auto rays = [](const ArrayView& from, const ArrayView& far, const ArrayView& off, const World& world) {
    QueryArrays asked;
    asked.position = from;
    HitArrays hits;
    hits.distance = far;
    hits.normal = off;
    world.queries().cast_rays(asked, hits, {.world = 1});
  };
  const auto cast = [&] { rays(gpu_place.view(3), gpu_distance.view(1), gpu_normal.view(3), cuda); };
  const auto expect_same = [&] {
    rays(place.view(), distance.view(), normal.view(), cpu);
    cuda.wait();
    EXPECT_EQ(gpu_distance.read(), distance.data);
    EXPECT_EQ(gpu_normal.read(), normal.data);
  };
  step_both(cpu, cuda, 240);
  cast();
  expect_same();
  cpu.reset();
  cuda.reset();
  cuda.wait();
  capture([&] {
    cuda.step();
    cast();
  });
  for (const int steps : {1, 20, 40}) {
    launch(steps);
    run(cpu, steps);
    expect_same();
  }
}

TEST_F(GpuInterop, joints_through_arrays_are_those_of_the_cpu_in_a_graph_too) {
  const std::vector<Scene> scenes(2, scenes::make("four_bar", 1));
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(true));
  const std::size_t rows = 2 * cpu.joints(0).size();
  ASSERT_GT(rows, 0u);
  HostArray<double> rate(rows, 6), coordinate(rows, 6), torque(rows, 3);
  for (std::size_t i = 0; i < rate.data.size(); ++i) rate.data[i] = 0.5 * static_cast<double>(i % 7);
  Placed<double> gpu_rate(rate.data, gpu), gpu_coordinate(coordinate.data, gpu), gpu_torque(torque.data, gpu);
  const auto drive = [](World& world, const ArrayView& to, const ArrayView& where, const ArrayView& with) {
    world.arrays().set_joints({.drive_rate = to});
    world.step();
    world.arrays().get_joints({.coordinate = where, .torque = with});
  };
  const auto on_cpu = [&] { drive(cpu, rate.view(), coordinate.view(), torque.view()); };
  const auto on_cuda = [&] { drive(cuda, gpu_rate.view(6), gpu_coordinate.view(6), gpu_torque.view(3)); };
  const auto expect_same = [&] {
    cuda.wait();
    EXPECT_EQ(gpu_coordinate.read(), coordinate.data);
    EXPECT_EQ(gpu_torque.read(), torque.data);
    EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
  };
  for (int i = 0; i < 5; ++i) {
    on_cpu();
    on_cuda();
  }
  expect_same();
  capture(on_cuda);
  for (const int steps : {1, 6}) {
    launch(steps);
    for (int i = 0; i < steps; ++i) on_cpu();
    expect_same();
  }
  // what the host says after a capture counts, until a graph writes again
  for (World* world : {&cpu, &cuda}) {
    Joint joint = world->description(world->joints(0)[0]);
    joint.breaking_force = 1e6f;
    auto& hinge = std::get<HingeJoint>(joint.kind);
    hinge.turn.drive.rate = 0.25f;
    world->set_joint(world->joints(0)[0], joint);
    world->step();
    EXPECT_EQ(world->drive(world->joints(0)[0], JointDof::kTwist).rate, 0.25f);
  }
  // what the graph wrote is what the host knows
  for (std::size_t i = 0; i < rows / 2; ++i) {
    EXPECT_EQ(cuda.description(cuda.joints(1)[i]), cpu.description(cpu.joints(1)[i])) << i;
  }
}

TEST_F(GpuInterop, materials_through_arrays_are_those_of_the_cpu_in_a_graph_too) {
  const std::vector<Scene> scenes = worlds_of_all_kinds();
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(true));
  const std::size_t rows = scenes.size();  // of each world its only one
  HostArray<double> friction(rows, 1), restitution(rows, 1), rolling(rows, 1), moves(rows, 3), back(rows, 1);
  for (std::size_t r = 0; r < rows; ++r) {
    friction.data[r] = 0.3 + 0.1 * static_cast<double>(r);
    restitution.data[r] = 0.2 * static_cast<double>(r);
    rolling.data[r] = 0.01;
    moves.at(r, 0) = 0.5;
    moves.at(r, 2) = 0.25;
  }
  Placed<double> gpu_friction(friction.data, gpu), gpu_restitution(restitution.data, gpu),
      gpu_rolling(rolling.data, gpu), gpu_moves(moves.data, gpu), gpu_back(back.data, gpu);
  const MaterialArrays host{friction.view(), restitution.view(), rolling.view(), moves.view()};
  const MaterialArrays device{gpu_friction.view(1), gpu_restitution.view(1), gpu_rolling.view(1), gpu_moves.view(3)};
  const auto once = [](World& world, const MaterialArrays& from, const ArrayView& to) {
    world.arrays().set_materials(from);
    world.step();
    world.arrays().get_materials({.restitution = to});
  };
  const auto on_cpu = [&] { once(cpu, host, back.view()); };
  const auto on_cuda = [&] { once(cuda, device, gpu_back.view(1)); };
  const auto expect_same = [&] {
    cuda.wait();
    EXPECT_EQ(gpu_back.read(), back.data);
    EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
  };
  // all contacts that there will be come before the capture; then the worlds start over
  step_both(cpu, cuda, 200);
  on_cpu();
  on_cuda();
  expect_same();
  for (World* world : {&cpu, &cuda}) {
    world->reset();
    world->wait();
  }
  capture(on_cuda);
  for (const int steps : {1, 40}) {
    launch(steps);
    for (int i = 0; i < steps; ++i) on_cpu();
    expect_same();
  }
  // what the graph wrote is what the host knows, and what the host says counts until a graph writes again
  for (World* world : {&cpu, &cuda}) {
    EXPECT_EQ(world->materials(2)[0].restitution, 0.4f);
    Material one = world->materials(1)[0];
    one.friction = 0.9f;
    world->set_material(0, one, 1);
    run(*world, 5);
    EXPECT_EQ(world->materials(1)[0], one);
  }
  EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
}

TEST_F(GpuInterop, what_would_break_a_capture_is_refused_before_it_does) {
  const Scene scene = scenes::make("tower:height=4", 1);
  World plain(scene, on_stream(false)), capturable(scene, on_stream(true));
  plain.step();
  plain.wait();
  capture([&] {
    EXPECT_THROW(plain.step(), InvalidArgument);         // not capturable
    EXPECT_THROW(capturable.step(), InvalidArgument);    // no step was taken
    EXPECT_THROW(capturable.report(), InvalidArgument);  // waits
    EXPECT_THROW(World(scene, on_stream(true)), InvalidArgument);
  });
  capturable.step();
  capture([&] { EXPECT_THROW(capturable.step(), InvalidArgument); });  // one is in flight
  capturable.wait();
  capture([&] { EXPECT_THROW(capturable.step(0.001f), InvalidArgument); });  // of another length
  // fields that were set are listed outside
  for (const std::vector<SceneField>& given : {std::vector<SceneField>{{fields::Gravity{}, {}}}, {}}) {
    capturable.set_fields(given);
    capture([&] { EXPECT_THROW(capturable.step(), InvalidArgument); });
    capturable.step();
    capturable.wait();
  }
  capture([&] { EXPECT_NO_THROW(capturable.step()); });
}

// A gust goes by the clock of its world, which the device reads.
TEST_F(GpuInterop, fields_act_in_a_graph_as_out_of_it) {
  const Scene scene = scenes::make("flag:rows=4", 1);
  World cpu(scene, on(Device::cpu())), cuda(scene, on_stream(true));
  step_both_and_wait(cpu, cuda, 1);
  capture([&] { cuda.step(); });
  launch(40);
  run(cpu, 40);
  EXPECT_EQ(cuda.state_hash(), cpu.state_hash());
}

TEST_F(GpuInterop, an_overflow_in_a_graph_is_an_error_and_leaves_the_state_as_it_was) {
  const Scene scene = scenes::make("rain:count=200", 1);
  WorldOptions small = on_stream(true);
  small.capacity.pairs = 64;
  World cpu(scene, on(Device::cpu())), cuda(scene, small);
  step_both_and_wait(cpu, cuda, 1);
  capture([&] { cuda.step(); });
  launch(300);
  EXPECT_THROW(cuda.wait(), CapacityError);
  const StepReport report = cuda.report();
  EXPECT_EQ(report.status, kStatusOverflow);
  ASSERT_LT(report.steps, 301u);
  while (cpu.report().steps < report.steps) cpu.step();
  EXPECT_EQ(cuda.state_hash(), cpu.state_hash());
  // a step outside makes room
  step_both(cpu, cuda, 60);
  EXPECT_EQ(cuda.state_hash(), cpu.state_hash());
}

}  // namespace
}  // namespace cairn::parity
