"""The controls beside the picture. All they do is ask the View, whose next update does it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy
import viser

from .._drawn import FIGURES, unit_of
from .._structs import Quality, StepParams
from ._ranges import Control, step_controls

if TYPE_CHECKING:
    from ._view import View

Command = Callable[[], None]
SPEEDS = {"1/10": 0.1, "1/4": 0.25, "1/2": 0.5, "real time": 1.0, "2": 2.0, "as fast as it goes": 0.0}
_POINTS = 600  # of a plot; the oldest go
_COLORS = ("#d9775a", "#47658a")


class Panel:
    """What there is to press, and what says how it goes."""

    def __init__(self, server: viser.ViserServer, view: View, commands: SimpleQueue[Command]) -> None:
        self._server = server
        self._commands = commands
        gui = server.gui
        gui.configure_theme(show_logo=False, show_share_button=False)
        self._status = gui.add_markdown("")
        self._play = gui.add_button("pause")
        self._ask(self._play, lambda _: view.pause() if view.playing else view.play())
        self._ask(gui.add_button("step"), lambda _: view.step())
        self._ask(gui.add_button("reset"), lambda _: view.reset())
        self._frame: Any
        if view.playback is None:
            hint = "what was shown before; play goes on from the present"
            self._frame = gui.add_slider("frame", 0, 1, 1, 0, hint=hint)
            self._ask(self._frame, lambda value: view.scrub(int(value)))
        else:
            last = max(view.playback.steps(), 1)
            self._frame = gui.add_slider("step", 0, last, 1, view.playback.at(), hint="of the recording")
            self._ask(self._frame, lambda value: view.want(int(value)))
        self._speed = gui.add_dropdown("speed", tuple(SPEEDS), initial_value="real time", hint="times real time")
        self._ask(self._speed, lambda word: view.set_speed(SPEEDS[word]))
        self._contacts: Any = gui.add_checkbox(
            "contact forces", False, hint="of each point along the normal, and of friction"
        )
        self._ask(self._contacts, view.show_contacts)
        self._length = gui.add_slider("arrows", 0.1, 10.0, 0.1, 1.0, hint="times their length")
        self._ask(self._length, view.set_arrow_length)
        self._params: dict[str, tuple[Control, Any]] = {}
        self._plots: dict[str, Any] = {}
        self._seen: deque[tuple[float, Quality]] = deque(maxlen=_POINTS)
        if view.scene is not None:
            with gui.add_folder("quality"):
                for name, members in FIGURES.items():
                    self._plots[name] = _plot(gui, f"{name} [{unit_of(members[0])}]", members)
        if view.playback is not None:
            return
        gui.add_markdown("Ctrl and the left button on a body that moves: drag it.")
        with gui.add_folder("step", expand_by_default=False):
            gravity = gui.add_vector3("gravity", view.world.gravity(), step=0.01, hint="[m/s^2] of all worlds")
            self._ask(gravity, view.set_gravity)
            params = view.world.params()
            self._params = {c.name: (c, self._control(gui, c, params, view)) for c in step_controls(params)}

    def _control(self, gui: viser.GuiApi, c: Control, params: StepParams, view: View) -> Any:
        value = c.value(params)
        handle: Any
        if c.kind == "checkbox":
            handle = gui.add_checkbox(c.name, value, hint=c.hint)
        elif c.kind == "choice":
            handle = gui.add_dropdown(c.name, c.words, initial_value=value, hint=c.hint)
        else:
            handle = gui.add_slider(c.name, c.lower, c.upper, c.step, value, hint=c.hint)
        self._ask(handle, lambda value: view.set_param(c.name, int(value) if c.whole else value))
        return handle

    def _ask(self, handle: Any, action: Callable[[Any], None]) -> None:
        """Has an action done in the next update where somebody, and not the program, changes a control."""

        async def asked(event: Any) -> None:
            value = event.target.value
            if event.client_id is not None:
                self._commands.put(lambda: action(value))

        (handle.on_click if isinstance(handle, viser.GuiButtonHandle) else handle.on_update)(asked)

    def show_playing(self, playing: bool) -> None:
        self._play.label = "pause" if playing else "play"

    def show_contacts(self, shown: bool) -> None:
        self._contacts.value = shown

    def show_params(self, params: StepParams) -> None:
        for control, handle in self._params.values():
            handle.value = control.value(params)

    def show_frames(self, count: int, shown: int) -> None:
        self._frame.max = max(count - 1, 1)
        self._frame.value = shown

    def show_status(self, text: str) -> None:
        self._status.content = text

    def show_quality(self, time: float, quality: Quality) -> None:
        """Adds to the plots."""
        if self._seen and time < self._seen[-1][0]:
            self._seen.clear()
        self._seen.append((time, quality))
        times = numpy.array([t for t, _ in self._seen])
        for name, members in FIGURES.items():
            lines = (numpy.array([getattr(q, member) for _, q in self._seen], float) for member in members)
            self._plots[name].data = (times, *lines)

    def say(self, message: str) -> None:
        """To all who look on."""
        for client in self._server.get_clients().values():
            client.add_notification("cairn", message, auto_close_seconds=8.0)


def _plot(gui: viser.GuiApi, title: str, members: tuple[str, ...]) -> Any:
    from viser import uplot

    lines = (uplot.Series(label=name, stroke=color, width=2) for name, color in zip(members, _COLORS, strict=False))
    return gui.add_uplot(
        (numpy.zeros(1),) * (1 + len(members)),
        (uplot.Series(label="time [s]"), *lines),
        title=title,
        scales={"x": uplot.Scale(time=False), "y": uplot.Scale()},
        aspect=2.0,
    )
