"""Dry walls of bricks on a table that tilts: the angle at which each fails, against theory."""

import argparse
import math
import tempfile

import numpy as np
from numpy.typing import NDArray

import cairn

LENGTH, HEIGHT, COURSES = 0.4, 0.2, 3  # [m] of a brick; bricks on top of each other
RATE = math.radians(3)  # [rad/s] of the table
DT = 1 / 60  # [s]
FAILED = 5e-3  # [m] how far a brick may move on the table: joints creep by a tenth of that before they fail


def parameters(k: int) -> dict[str, float]:
    """Friction, and thickness over height of the wall: points that fill a square evenly (R2, Roberts 2018)."""
    return {
        "friction": 0.2 + 0.7 * ((0.5 + 0.7548776662466927 * k) % 1),
        "slenderness": 0.2 + 0.7 * ((0.5 + 0.5698402909980532 * k) % 1),
    }


def wall(k: int, friction: float, slenderness: float) -> cairn.Scene:
    """World k: a wall in running bond, two bricks long, on a table that turns about the wall's length."""
    thickness = slenderness * HEIGHT * COURSES
    scene = cairn.Scene()
    stone = scene.add_material(cairn.Material(name="stone", density=1900, friction=friction))
    table = cairn.Shape(cairn.Box((1, 1, 0.1)), material=stone)
    scene.add_body(cairn.Body(type="kinematic", position=(0, 0, -0.1), shapes=[table], angular_velocity=(RATE, 0, 0)))
    for course in range(COURSES):
        # ends (x) of the bricks: two whole ones, or a half, a whole and a half
        ends = (-1.0, 0.0, 1.0) if course % 2 == 0 else (-1.0, -0.5, 0.5, 1.0)
        for a, b in zip(ends, ends[1:]):
            brick = cairn.Box((LENGTH * (b - a) / 2 - 0.0005, thickness / 2, HEIGHT / 2))
            at = (LENGTH * (a + b) / 2, 0, HEIGHT * (course + 0.5))
            scene.add_body(cairn.Body(position=at, shapes=[cairn.Shape(brick, material=stone)]))
    return scene


def failure(batch: cairn.Batch) -> dict[str, NDArray[np.float64]]:
    """The table's angle [deg] when a brick of a world has first moved on it; NaN where none has."""
    count, angle = len(batch.indices), RATE * DT * batch.step
    bricks = batch.world.read_states().position.reshape(count, -1, 3)[:, 1:] - (0, 0, -0.1)
    x, y, z = np.moveaxis(bricks, -1, 0)
    place = np.stack([x, y * math.cos(angle) + z * math.sin(angle), z * math.cos(angle) - y * math.sin(angle)])  # on the table
    start = batch.kept.setdefault("start", place)
    failed_at: NDArray[np.float64] = batch.kept.setdefault("failed_at", np.full(count, np.nan))
    moved = np.abs(place - start).max(axis=(0, 2)) > FAILED
    failed_at[moved & np.isnan(failed_at)] = math.degrees(angle)
    friction, slenderness = batch.parameters["friction"], batch.parameters["slenderness"]
    return {"failed_at": failed_at, "theory": np.degrees(np.arctan(np.minimum(friction, slenderness)))}


def study(worlds: int) -> cairn.Study:
    """Until the table stands at 45 degrees, looked at each 0.15."""
    steps = round(math.radians(45) / (RATE * DT))
    return cairn.Study("masonry", wall, worlds, steps, parameters=parameters, reduce=failure, every=3)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", nargs="?", help="folder of the results, where a run that was ended goes on")
    arguments.add_argument("--worlds", type=int, default=16)
    arguments.add_argument("--workers", type=int, default=0, help="of Ray; 0: this process")
    arguments.add_argument("--shard", type=int, default=64)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = given.out or folder
        cairn.sweep(study(given.worlds), out=out, workers=given.workers, shard=given.shard)
        results = cairn.read_sweep(out)
    late = results["failed_at"].to_numpy() - results["theory"].to_numpy()
    print(f"{len(late)} walls fail {np.mean(late):.2f} degrees later than theory says, {np.min(late):.2f} to {np.max(late):.2f}.")
