"""What Python costs: the import, a call, a step by itself and in a call of many. Prints the least of some runs.

python python/benchmarks/calls.py
"""

import subprocess
import sys
import time

import cairn


def least(call, count: int) -> float:
    """[s] Of one of `count` calls."""
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(count):
            call()
        best = min(best, (time.perf_counter() - start) / count)
    return best


def main() -> None:
    code = "import time; t = time.process_time(); import cairn; print(time.process_time() - t)"
    imports = [float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout) for _ in range(5)]
    print(f"import          {min(imports) * 1e3:8.1f} ms of CPU")
    scene = cairn.Scene()
    scene.add_body(cairn.Body(type="static", shapes=[cairn.Shape(cairn.Plane())]))
    world = cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))
    world.step()
    # wait goes without the interpreter's lock, as step does, and has nothing to do on a CPU
    print(f"wait            {least(world.wait, 2000) * 1e6:8.2f} us")
    print(f"step()          {least(world.step, 2000) * 1e6:8.2f} us, of a floor alone")
    print(f"step(1000)      {least(lambda: world.step(1000), 5) * 1e3:8.2f} us a step")
    for i in range(10):
        scene.add_body(cairn.Body(position=(0, 0, 0.5 + i), density=1000, shapes=[cairn.Shape(cairn.Box())]))
    world = cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))
    print(f"state           {least(lambda: world.state(world.bodies()[3]), 500) * 1e6:8.2f} us, with bodies()")
    print(f"read_states     {least(world.read_states, 500) * 1e6:8.2f} us of 11 bodies")
    robots = cairn.Articulations(arm(), 1000, "cpu")
    print(f"mass_matrix     {least(robots.mass_matrix, 5) * 1e6:8.2f} us of 1000 arms of 7 links")


def arm() -> cairn.Articulation:
    links = [
        cairn.ArticulationLink(
            name=f"link{i}",
            parent=cairn.WORLD_LINK if i == 0 else i - 1,
            joint=cairn.ArticulationJoint(kind="revolute"),
            frame_in_parent=cairn.JointFrame((0, 0, 0.3), (0, 0, (i % 2) * 0.5**0.5, 1 - (1 - 0.5**0.5) * (i % 2))),
            mass=1,
            inertia=cairn.Inertia((0.01, 0.01, 0.01)),
        )
        for i in range(7)
    ]
    return cairn.Articulation(name="arm", links=links)


if __name__ == "__main__":
    main()
