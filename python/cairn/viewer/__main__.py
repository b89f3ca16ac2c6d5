"""python -m cairn.viewer FILE"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys

from .. import _core, _structs

BAD_INPUT, NO_DEVICE, NOT_WRITTEN = 2, 3, 4  # exit codes of docs/cli.md


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0, 2 for bad input, 3 without the device or memory, 4 for a full stdout."""
    parser = argparse.ArgumentParser(
        prog="python -m cairn.viewer",
        description="Simulates a scene, or plays a recording, and shows it in the browser, until Ctrl-C.",
    )
    parser.add_argument(
        "file", help="a scene file, or a recording that `cairn run --record` wrote; - for a scene from stdin"
    )
    parser.add_argument("--device", default="best", help="cpu, cuda, cuda:1 or best; without it best")
    parser.add_argument("--worlds", type=int, help="copies of the scene, 1 to 65535; without it 1")
    parser.add_argument(
        "--spacing", type=float, help="[m] between them; without it, as far as none reaches into another"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; without it, for this machine alone")
    parser.add_argument("--port", type=int, default=8080, help="the first to try")
    parser.add_argument("--rate", type=float, default=30.0, help="[1/s] max updates of the picture")
    parser.add_argument("--camera", help="name of a camera of the scene to look from at first; without it the first")
    parser.add_argument("--no-shadows", action="store_true", help="for browsers that draw without a GPU")
    parser.add_argument("--paused", action="store_true", help="begins paused")
    options = parser.parse_args(arguments)
    try:
        from . import View

        world_options = _structs.WorldOptions(device=_core.parse_device(options.device))
        scene, playback = None, None
        if _is_recording(options.file):
            for name in ("worlds", "camera"):
                if getattr(options, name) is not None:
                    raise _core.InvalidArgument(f"--{name}: is for scenes, and {options.file} is a recording")
            recording = _core.Recording.load(options.file)
            world = _core.World(recording.start(), world_options)
            playback = _core.Playback(world, recording)
        else:
            scene = _scene(options.file)
            world = _core.World.copies(scene, 1 if options.worlds is None else options.worlds, world_options)
        view = View(
            world,
            scene,
            playback=playback,
            camera=_camera(options.camera, scene, world),
            host=options.host,
            port=options.port,
            spacing=options.spacing,
            shadows=not options.no_shadows,
            rate=options.rate,
            playing=not options.paused,
        )
    except (ValueError, ImportError, OSError) as error:
        return _fail(str(error), BAD_INPUT)
    except (_core.DeviceError, MemoryError) as error:
        return _fail(str(error), NO_DEVICE)
    with contextlib.suppress(KeyboardInterrupt), view:
        try:
            name = scene.name if scene is not None and scene.name else options.file
            print(f"{name} on {world.device().kind}: {view.url}", flush=True)
        except OSError as error:
            return _fail(f"stdout: {error.strerror}", NOT_WRITTEN)
        try:
            view.run()
        except _core.SnapshotError as error:
            return _fail(f"{options.file}: {error}", BAD_INPUT)
    return 0


def _is_recording(file: str) -> bool:
    """By its first bytes. What can't be read is for the scene's reader to say."""
    if not os.path.isfile(file) or file == "-":
        return False
    try:
        with open(file, "rb") as opened:
            return opened.read(8) == b"CAIRNREC"
    except OSError:
        return False


def _scene(file: str) -> _core.Scene:
    return _core.parse_scene(sys.stdin.read(), "stdin") if file == "-" else _core.load_scene(file)


def _camera(name: str | None, scene: _core.Scene | None, world: _core.World) -> _structs.PictureCamera | None:
    """Where a camera of the scene is. Raises InvalidArgument where there is none of the name."""
    if name is None or scene is None:
        return None
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
