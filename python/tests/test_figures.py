"""Import, calls and memory: how much they cost. The limits are those of a quiet machine times some; the figures are printed."""

import pathlib
import resource
import subprocess
import sys
import time

import cairn
from conftest import box_scene

ROOT = pathlib.Path(__file__).parents[2]


def test_import_takes_under_0_3_s():
    code = "import time; t = time.process_time(); import cairn; print(time.process_time() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(5)
    ]
    print(f"import: {min(times) * 1e3:.1f} ms of CPU")
    assert min(times) < 0.3


def test_a_call_costs_python_under_5_us():
    world = cairn.World(box_scene(0), cairn.WorldOptions(device=cairn.Device(threads=1)))
    world.step()

    def once(call, count=2000):
        best = 1e9
        for _ in range(5):
            start = time.perf_counter()
            for _ in range(count):
                call()
            best = min(best, (time.perf_counter() - start) / count)
        return best

    # wait is called as step is, without the interpreter's lock, and has nothing to do on a CPU
    of_call, of_step = once(world.wait), once(world.step)
    print(f"wait: {of_call * 1e6:.2f} us; step of a floor alone: {of_step * 1e6:.2f} us")
    assert of_call < 5e-6


def test_worlds_leave_nothing_behind():
    scene = box_scene(1)
    options = cairn.WorldOptions(device=cairn.Device(threads=1))

    def make(count):
        for _ in range(count):
            world = cairn.World(scene, options)
            world.arrays["position"].numpy()
            world.step()

    def held():
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    make(1000)
    before = held()
    make(10000)
    grown = held() - before
    print(f"10,000 worlds: {grown / 1024:.0f} KiB more")
    assert grown < 4 << 20
