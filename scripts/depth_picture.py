#!/usr/bin/env python3
"""A picture of what a depth camera of cairn.Sensors measures (docs/sensors.md): depth on the left, near is bright; on
the right which body each pixel met, in the colours of pictures.

    scripts/depth_picture.py SCENE.json SECONDS OUT.png

Needs the Python package. docs/gallery.md has one.
"""

import pathlib
import sys

import numpy as np

import cairn

WIDTH, HEIGHT = 238, 180
GAP = 4  # pixels between the two


def site_at(camera: cairn.PictureCamera) -> cairn.Site:
    """Where a sensor sees what a picture does. z is up."""
    back = np.subtract(camera.eye, camera.target)
    back /= np.linalg.norm(back)
    right = np.cross((0, 0, 1), back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    # of the rotation with columns right, up, back, whose w isn't small for cameras that look towards +y
    w = np.sqrt(max(1 + right[0] + up[1] + back[2], 1e-12)) / 2
    xyz = np.array([up[2] - back[1], back[0] - right[2], right[1] - up[0]]) / (4 * w)
    return cairn.Site(position=camera.eye, orientation=(*xyz, w))


def main() -> int:
    scene, seconds, out = sys.argv[1:]
    world = cairn.World(cairn.load_scene(scene), cairn.WorldOptions(device=cairn.Device()))
    world.step(round(float(seconds) / world.params().dt))
    camera = cairn.framing(world, cairn.PictureOptions(width=WIDTH, height=HEIGHT)).camera
    eye = cairn.CameraSensor(site_at(camera), width=WIDTH, height=HEIGHT, field_of_view=camera.field_of_view)
    sensors = cairn.Sensors(world, cairn.SensorSet(cameras=[eye]))
    sensors.update()
    depth = np.asarray(sensors["camera0_depth"])[0]
    body = np.asarray(sensors["camera0_body"])[0]
    movable = [world.description(b).type == "dynamic" for b in world.bodies()]
    met = body < len(movable)
    near, far = depth[met].min(), np.percentile(depth[met], 95)
    grey = np.where(met, np.clip(1 - (depth - near) / (far - near), 0, 1) * 0.9 + 0.1, 0)
    left = np.repeat(255 * grey[..., None], 3, 2)
    palette = np.array([cairn.picture_color(i, moves) for i, moves in enumerate(movable)])
    right = 255 * np.sqrt(np.where(met[..., None], palette[np.where(met, body, 0)], 0))
    both = np.hstack([left, np.full((HEIGHT, GAP, 3), 255), right])
    pathlib.Path(out).write_bytes(cairn.png(both.round().astype(np.uint8)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
