"""What Worlds hold is given back."""

import pathlib
import resource

import cairn
from conftest import box_scene


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
