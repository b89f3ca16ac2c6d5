"""python -m cairn.viewer SCENE.json"""

from __future__ import annotations

import argparse
import contextlib
import sys

from .. import _core, _structs

BAD_INPUT, NO_DEVICE, NOT_WRITTEN = 2, 3, 4  # exit codes of docs/cli.md


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0, 2 for bad input, 3 without the device or memory, 4 for a full stdout."""
    parser = argparse.ArgumentParser(
        prog="python -m cairn.viewer", description="Simulates a scene and shows it in the browser, until Ctrl-C."
    )
    parser.add_argument("scene", help="a scene file; - for stdin")
    parser.add_argument("--device", default="best", help="cpu, cuda, cuda:1 or best; without it best")
    parser.add_argument("--worlds", type=int, default=1, help="copies of the scene, 1 to 65535")
    parser.add_argument(
        "--spacing", type=float, help="[m] between them; without it, as far as none reaches into another"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; without it, for this machine alone")
    parser.add_argument("--port", type=int, default=8080, help="the first to try")
    parser.add_argument("--rate", type=float, default=30.0, help="[1/s] max updates of the picture")
    parser.add_argument("--camera", help="name of a camera of the scene to look from at first; without it the first")
    parser.add_argument("--paused", action="store_true", help="begins paused")
    options = parser.parse_args(arguments)
    try:
        from . import View

        if options.scene == "-":
            scene = _core.parse_scene(sys.stdin.read(), "stdin")
        else:
            scene = _core.load_scene(options.scene)
        device = _core.parse_device(options.device)
        world = _core.World.copies(scene, options.worlds, _structs.WorldOptions(device=device))
        view = View(
            world,
            scene,
            camera=None if options.camera is None else _camera(options.camera, scene, world),
            host=options.host,
            port=options.port,
            spacing=options.spacing,
            rate=options.rate,
            playing=not options.paused,
        )
    except (ValueError, ImportError, OSError) as error:
        return _fail(str(error), BAD_INPUT)
    except (_core.DeviceError, MemoryError) as error:
        return _fail(str(error), NO_DEVICE)
    with contextlib.suppress(KeyboardInterrupt), view:
        try:
            print(f"{scene.name or options.scene} on {device.kind}: {view.url}", flush=True)
        except OSError as error:
            return _fail(f"stdout: {error.strerror}", NOT_WRITTEN)
        view.run()
    return 0


def _camera(name: str, scene: _core.Scene, world: _core.World) -> _structs.PictureCamera:
    """Where a camera of the scene is. Raises InvalidArgument where there is none of the name."""
    cameras = scene.cameras()
    index = scene.find_camera(name)
    if index is None:
        there = ", ".join(camera.name for camera in cameras) or "none"
        raise _core.InvalidArgument(f"--camera {name}: the scene has no such camera; it has {there}")
    return _core.camera_now(cameras[index], scene, world)


def _fail(message: str, code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
