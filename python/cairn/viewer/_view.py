"""View: a World in the browser."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from functools import partial
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self

import numpy

from .._core import InvalidArgument, Playback, QualityMeter, Scene, World, camera_now, status_names
from .._structs import PictureCamera
from .._values import Vec3Like
from ._arrows import Arrows
from ._drags import Drags, Pull
from ._drawing import Drawing
from ._history import Frame, History
from ._pace import RealTime, Share
from ._panel import Command, Panel
from ._server import Server

_FIELD_OF_VIEW = 40.0  # [deg]
_AMBIENT = 0.8  # [1] light from all sides, beside viser's own lights
_WAIT = 0.2  # [s] for what is asked for while paused, so that Ctrl-C is heard
_TEXT_INTERVAL = 0.25  # [s] between two texts
_QUALITY_SHARE, _QUALITY_INTERVAL = 0.05, 0.1  # of the time, and [s]: for the figures that are plotted
_ARROWS_SHARE = 0.3  # of the time


class View:
    """A World in the browser, by a server that ends with the program.

        with cairn.viewer.View(world, scene) as view:
            while view.update():
                world.step()

    The World is read and changed in `update` alone, by the thread that calls it; in between a program may do with it
    what it likes. `run` is this loop at the pace that was chosen. Any number of browsers may look on and press.

    world: any number of worlds on any device.
    scene: what the World was made of, for plots of the quality of world 0; None: no plots.
    playback: a recording on this World, which `run` plays instead of stepping the World; None: there is none.
    host: the address to listen on. Another than 127.0.0.1 lets others see and change the World.
    port: the first to try, 1 to 65535; of the 100 after it the first that is free.
    names: under which browsers may reach the server (a proxy's), beside localhost, the host and plain addresses.
    spacing: [m] between worlds of a batch, which stand in a square; 0: as far apart as no world reaches into another.
        None: at their origins, or where these are all 0 as with 0.
    camera: where browsers look from at first. None: the first camera of the scene, of a world alone; or all that
        moves is in view.
    shadows: False: none are cast, which spares a browser that draws without a GPU much of its work.
    rate: [1/s] max updates of the picture, over 0.
    history_bytes: [B] max memory for what was shown, to go back to: 28 B a body and picture. 0: the last one alone.
    playing: False: it begins paused.

    Raises InvalidArgument, naming it, for one of these that can't be.
    """

    def __init__(
        self,
        world: World,
        scene: Scene | None = None,
        *,
        playback: Playback | None = None,
        host: str = "127.0.0.1",
        port: int = 8080,
        names: Collection[str] = (),
        spacing: float | None = None,
        camera: PictureCamera | None = None,
        shadows: bool = True,
        rate: float = 30.0,
        history_bytes: int = 256 << 20,
        playing: bool = True,
    ) -> None:
        if not rate > 0:
            raise InvalidArgument(f"rate: must be over 0, is {rate}")
        if history_bytes < 0:
            raise InvalidArgument(f"history_bytes: must be at least 0, is {history_bytes}")
        if spacing is not None and not 0 <= spacing < math.inf:
            raise InvalidArgument(f"spacing: must be at least 0, is {spacing}")
        if playback is not None and playback.world is not world:
            raise InvalidArgument("playback: must be on the World that is shown")
        self.world, self.scene, self.playback = world, scene, playback
        self._rate = rate
        self._playing = playing
        self._steps = 0
        self._wanted: int | None = None
        self._closed = False
        self._commands: SimpleQueue[Command] = SimpleQueue()
        self._history = History(history_bytes)
        self._pace = RealTime()
        self._meter = QualityMeter(scene) if scene is not None else None
        self._text = Share(1.0, _TEXT_INTERVAL)
        self._measuring = Share(_QUALITY_SHARE, _QUALITY_INTERVAL)
        self._counting = Share(_ARROWS_SHARE)
        self._drags = Drags(world)
        self._contacts = False
        self._due = 0.0
        self._server = Server(host, port, scene.name if scene is not None and scene.name else "cairn", names)
        try:
            self._drawing = Drawing(self._server, world, spacing)
            self._arrows = Arrows(self._server, world)
            if camera is None and scene is not None and scene.cameras() and world.world_count() == 1:
                camera = camera_now(scene.cameras()[0], scene, world)
            self._look_from(camera)
            self._server.scene.configure_default_lights(cast_shadow=shadows)
            self._panel = Panel(self._server, self, self._commands)
            self._panel.show_playing(playing)
            self._watch()
            self._show_now(static=True)
        except BaseException:
            self._server.stop()
            raise

    @property
    def url(self) -> str:
        """Where browsers find it."""
        return self._server.url

    @property
    def playing(self) -> bool:
        """Whether `update` returns by itself."""
        return self._playing

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def frames(self) -> int:
        """[1] Pictures of the past that `scrub` has."""
        return len(self._history)

    def update(self) -> bool:
        """Shows the World as it is, where the last time was 1 / rate ago, and does what was asked for in browsers.

        Call it after each step. While paused it returns for a single step alone. False: the View was closed.
        """
        if self._closed:
            return False
        now = time.perf_counter()
        changed = self._arrays.stale
        if changed:
            self._look_again()
        elif not self._playing or now >= self._due:
            self._show_now()
        if changed or now >= self._due:
            self._due = max(self._due + 1 / self._rate, now)
        self._obey()
        while not (self._playing or self._steps or self._closed):
            self._obey(_WAIT)
        self._steps = max(self._steps - 1, 0)
        return not self._closed

    def run(self, steps: int | None = None) -> None:
        """Steps the World by its params().dt, or the recording, and shows it, until the View is closed or so many steps
        were taken. At the end of a recording it pauses.
        """
        taken = 0
        while (steps is None or taken < steps) and self.update():
            self._pace.wait(self.world.params().dt)
            if self.playback is None:
                self.world.step()
            elif not self.playback.step():
                self.pause()
                continue
            taken += 1
        if not self._closed:
            self._show_now()

    def refresh(self) -> None:
        """Reads all shapes of the World again. `update` does it where bodies were added, removed or replaced.

        A program calls it after it has changed scales, or on CUDA switched bodies off or on.
        """
        self._drawing.rebuild()
        self._watch()
        self._history.clear()
        self._show_now(static=True)

    def _look_again(self) -> None:
        """After things came, went or look different, or a snapshot was restored: what is as it was is only moved."""
        if self.playback is None or not self._drawing.holds():
            self.refresh()
            return
        self._arrays = self.world.arrays["body_flags"]
        self._show_now(static=True)

    def play(self) -> None:
        """Goes on from the present; at the end of a recording from its start."""
        if self.playback is not None and self.playback.at() == self.playback.steps():
            self.seek(0)
        self._playing = True
        self._panel.show_playing(True)

    def pause(self) -> None:
        self._playing = False
        self._panel.show_playing(False)

    def step(self) -> None:
        """Lets `update` return once while paused. Pauses first."""
        self.pause()
        self._steps += 1

    def reset(self) -> None:
        """All worlds back to their start, or to that of the recording."""
        if self.playback is not None:
            self.seek(0)
            return
        self.world.reset()
        self._history.clear()
        self._show_now()

    def seek(self, step: int) -> None:
        """Pauses, and takes the World to where so many steps of the recording were taken."""
        if self.playback is None:
            raise InvalidArgument("seek: the View shows no recording")
        self.pause()
        self.playback.seek(step)
        self._look_again()

    def want(self, step: int) -> None:
        """Has the next update seek a step. Of several that are wanted meanwhile the last counts."""
        self._wanted = step

    def scrub(self, frame: int) -> None:
        """Pauses and shows the past: frame 0 to frames - 1, the oldest first. The World itself stays where it is."""
        if not 0 <= frame < len(self._history):
            raise InvalidArgument(f"frame: must be 0 to {len(self._history) - 1}, is {frame}")
        self.pause()
        shown = self._history[frame]
        self._show(shown)
        self._panel.show_status(f"t = {shown.time:.3f} s, in the past")

    def set_speed(self, speed: float) -> None:
        """Of `run`: [1] times real time, at least 0; 0: as fast as it goes."""
        if not 0 <= speed < math.inf:
            raise InvalidArgument(f"speed: must be at least 0, is {speed}")
        self._pace.speed = speed

    def set_param(self, name: str, value: Any) -> None:
        """Changes one of StepParams in all worlds. Raises InvalidArgument, with all as it was, for what can't be."""
        try:
            self.world.set_params(self.world.params().replace(**{name: value}))
        finally:
            self._panel.show_params(self.world.params())

    def set_gravity(self, gravity: Vec3Like) -> None:
        """[m/s^2] Of all worlds."""
        for k in range(self.world.world_count()):
            self.world.set_gravity(gravity, k)

    def show_contacts(self, shown: bool) -> None:
        """Arrows of contact forces, with those of friction."""
        self._contacts = shown
        self._panel.show_contacts(shown)
        self._arrows.clear()
        if shown:
            self._arrows.show(self._drawing.offsets, self._drawing.size)

    def set_arrow_length(self, length: float) -> None:
        """[1] times their length, over 0."""
        self._arrows.length = length
        if self._contacts:
            self._arrows.show(self._drawing.offsets, self._drawing.size)

    def close(self) -> None:
        """Lets go of what is dragged, and ends the server. The World stays."""
        if self._closed:
            return
        self._closed = True
        if not self.world.closed:
            self._drags.close()
        self._server.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _obey(self, wait: float = 0.0) -> None:
        """Does what was asked for. wait: [s] for the first of it."""
        while not self._closed:
            try:
                command = self._commands.get(timeout=wait) if wait else self._commands.get_nowait()
            except Empty:
                if self._wanted is None:
                    return
                command = partial(self.seek, self._wanted)
                self._wanted = None
            wait = 0.0
            try:
                command()
            except InvalidArgument as error:
                self._panel.say(str(error))

    def _show_now(self, static: bool = False) -> None:
        """The World as it is, and keeps that for later. static: with bodies that never move."""
        positions, orientations = self._drawing.read()
        report = self.world.report(0)
        frame = Frame(report.time, positions, orientations)
        if self.playback is None:
            self._history.add(frame)
        self._drawing.look()
        self._show(frame, static)
        if self._contacts and self._counting.due:
            with self._counting:
                self._arrows.show(self._drawing.offsets, self._drawing.size)
        if self._meter is not None and self._measuring.due:
            with self._measuring:
                self._measure(report.time)
        if self._text.due or not self._playing:
            with self._text:
                self._panel.show_status(f"t = {report.time:.3f} s, {self._told(report.steps)}")
                if self.playback is None:
                    self._panel.show_frames(len(self._history), len(self._history) - 1)
                else:
                    self._panel.show_frames(self.playback.steps() + 1, self.playback.at())

    def _told(self, steps: int) -> str:
        """Which step it is, and what is wrong with it."""
        status = ", ".join(status_names(self.world.report().status))
        if status:
            status = f", **{status}**"
        if self.playback is None:
            return f"step {steps}{status}"
        differs = self.playback.differs_at()
        if differs is not None:
            status += f", **not as recorded from step {differs} on**"
        return f"step {self.playback.at()} of {self.playback.steps()}{status}"

    def _show(self, frame: Frame, static: bool = False) -> None:
        with self._server.atomic():
            self._drawing.show(frame.positions, frame.orientations, static)

    def _measure(self, now: float) -> None:
        assert self._meter is not None
        try:
            quality = self._meter.measure(self.world.read_states(0))
        except InvalidArgument:  # bodies were added or removed: it is no more the scene's World
            self._meter = None
            return
        self._panel.show_quality(now, quality)

    def _watch(self) -> None:
        """Takes a view of an array, which ends where bodies come or go; and offers what moves for dragging."""
        self._arrays = self.world.arrays["body_flags"]
        if self.playback is not None:
            return
        for node in self._drawing.moving_nodes():
            node.remove_drag_callback()
            node.on_drag("left", modifier="cmd/ctrl")(self._dragged)

    async def _dragged(self, event: Any) -> None:
        body = self._drawing.body_of(event.target, event.instance_index)
        self._commands.put(
            lambda: self._pull(Pull(event.client_id, event.phase, body, event.start_position, event.end_position))
        )

    def _pull(self, pull: Pull) -> None:
        if self._drags.pull(pull, self._drawing.offsets):
            self._arrays = self.world.arrays["body_flags"]

    def _look_from(self, camera: PictureCamera | None) -> None:
        up = -numpy.array(self.world.gravity())
        up = up / numpy.linalg.norm(up) if up.any() else numpy.array([0.0, 0.0, 1.0])
        scene = self._server.scene
        scene.set_up_direction(up)
        # the colours of pictures: without the light of a room that viser puts in, which pales them
        scene.configure_environment_map(None)
        scene.add_light_ambient("/light", intensity=_AMBIENT)
        look = self._server.initial_camera
        d = self._drawing
        if camera is None:
            # from the side that shows most, as pictures are (src/picture/camera.cpp)
            hint = numpy.array([1.0, 0.0, 0.0] if abs(up[0]) < 0.9 else [0.0, 1.0, 0.0])
            x = hint - (hint @ up) * up
            x /= numpy.linalg.norm(x)
            y = numpy.cross(up, x)
            along_y = abs(y) @ d.extent <= 1.2 * (abs(x) @ d.extent)
            front = (-y + 0.6 * x if along_y else x + 0.6 * y) + 0.4 * up
            far = d.radius / math.sin(math.radians(_FIELD_OF_VIEW / 2))
            camera = PictureCamera(d.centre + far * front / numpy.linalg.norm(front), d.centre, _FIELD_OF_VIEW)
        look.position, look.look_at, look.fov = camera.eye, camera.target, math.radians(camera.field_of_view)
        distance = float(numpy.linalg.norm(numpy.subtract(camera.eye, camera.target)))
        look.near, look.far = distance / 1000, 20 * (distance + d.radius)
