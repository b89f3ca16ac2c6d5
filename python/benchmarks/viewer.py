#!/usr/bin/env python3
"""Pictures of many moving boxes that reach a browser and are drawn there each second, and what each part costs.

    python python/benchmarks/viewer.py [--bodies 10000] [--seconds 5] [--repeats 3] [--no-shadows]

Three cases: `played`, states of a falling pile that were computed before are written into the World, so that the
viewer alone is measured; `solved`, the World takes the steps, as fast as it can; `at rest`, the World doesn't change.
Two clients: `browser`, Chromium, which draws in software where there is no GPU; `counter`, a process that takes what
is sent and draws nothing.

    shown      [1/s] pictures that View handed to viser
    received   [1/s] pictures whose poses came to the client
    drawn      [1/s] frames that the browser drew with other poses than the frame before; `frames`: all of them
    world, read, show, send
               [ms] CPU time of this process, a picture: states written or steps taken; states read; poses handed over;
               viser's thread, which packs and sends (not known where the World's own threads run)
    page, gpu  [ms] CPU time of the browser, a frame: of the page's program, and of drawing
    error      [m] farthest that a body in the browser is at the end from where the World has it: must be 0
"""

import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import viser

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

import browser

import cairn
from cairn.viewer import View

# Counts in the page. Poses come by a worker of viser's client; a texture of all instances is uploaded before new poses
# are drawn.
COUNTER = """(() => {
  const seen = window.seen = {batches: 0, received: 0, frames: 0, drawn: 0, positions: {}};
  let drew = false, fresh = false;
  const Native = window.Worker;
  window.Worker = class extends Native {
    constructor(...all) {
      super(...all);
      this.addEventListener('message', event => {
        if (event.data?.type !== 'message_batch') return;
        let poses = false;
        for (const message of event.data.messages) {
          const positions = message.updates?.batched_positions;
          if (positions) { poses = true; seen.positions[message.name] = positions; }
        }
        ++seen.batches;
        seen.received += poses;
        fresh = fresh || poses;
      });
    }
  };
  const gl = WebGL2RenderingContext.prototype;
  for (const name of ['drawElementsInstanced', 'drawArraysInstanced']) {
    const native = gl[name];
    gl[name] = function (...all) { drew = true; return native.apply(this, all); };
  }
  const request = window.requestAnimationFrame.bind(window);
  let waiting = [];
  window.requestAnimationFrame = callback => request(now => {
    callback(now);
    seen.frames += drew;
    seen.drawn += drew && fresh;
    if (drew) fresh = false;
    drew = false;
  });
})()"""


def pile(count: int) -> cairn.Scene:
    """Boxes in a loose heap over the ground."""
    scene = cairn.Scene()
    scene.add_body(cairn.Body(name="ground", type="static", shapes=[cairn.Shape(cairn.Plane())]))
    side = max(round((count / 3) ** (1 / 3)), 1)
    random = np.random.default_rng(1)
    box = [cairn.Shape(cairn.Box((0.2, 0.15, 0.1)))]
    for i in range(count):
        at = 0.6 * np.array([i % side, i // side % side, i // side**2]) + random.uniform(-0.05, 0.05, 3)
        spin = random.uniform(-2, 2, 3)
        scene.add_body(cairn.Body(position=at + [0, 0, 0.5], angular_velocity=spin, density=500, shapes=box))
    return scene


def browser_seconds(page: browser.Browser) -> dict[str, float]:
    """[s] CPU time of the browser's processes so far: those that run the page's program, that draw, and the others."""
    found = {"renderer": 0.0, "gpu-process": 0.0, "": 0.0}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == page.pid:
                words = (folder / "cmdline").read_text()
                kind = next((k for k in found if k and f"--type={k}" in words), "")
                found[kind] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


# A client that draws nothing. It says when it is there, and at its end when each message with poses came.
LISTENER = """
import sys, time
from websockets.sync.client import connect
times = []
with connect(sys.argv[1], subprotocols=[sys.argv[2]], max_size=None, compression=None, proxy=None) as server:
    print('there', flush=True)
    while time.monotonic() < float(sys.argv[3]):
        try:
            if len(server.recv(timeout=0.2)) > int(sys.argv[4]): times.append(time.perf_counter())
        except TimeoutError: pass
print(*times)
"""


class Listener:
    """A process that counts."""

    def __init__(self, url: str, seconds: float, least: int) -> None:
        protocol = f"viser-v{viser.__version__}"
        words = [url.replace("http", "ws"), protocol, str(time.monotonic() + seconds), str(least)]
        self._process = subprocess.Popen([sys.executable, "-c", LISTENER, *words], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout.readline() == "there\n"

    def received(self, begin: float, end: float) -> int:
        """Between two times of time.perf_counter, which is one clock for all processes. Waits for its end."""
        said, _ = self._process.communicate()
        return sum(begin <= float(word) <= end for word in said.split())


class Spent:
    """CPU time of this thread in a call, and how often that was made."""

    def __init__(self, owner, name: str) -> None:
        self.seconds, self.calls = 0.0, 0
        call = getattr(owner, name)

        def timed(*args, **kwargs):
            began = time.thread_time()
            try:
                return call(*args, **kwargs)
            finally:
                self.seconds += time.thread_time() - began
                self.calls += 1

        setattr(owner, name, timed)


def measure(case: str, client: str, states, options) -> None:
    world = cairn.World(pile(options.bodies), cairn.WorldOptions(device=cairn.Device(threads=options.threads)))
    with contextlib.ExitStack() as stack:
        view = stack.enter_context(View(world, rate=options.rate, shadows=not options.no_shadows))
        page = None
        if client == "browser":
            folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            page = stack.enter_context(browser.Browser(pathlib.Path(folder), view.url, 1000, 640, first=COUNTER))

        def seen(what: str):
            return page.call("Runtime.evaluate", expression=what, returnByValue=True)["result"].get("value")

        if page is not None:
            until = time.monotonic() + 120
            while not seen("window.seen && window.seen.frames > 5") and time.monotonic() < until:
                time.sleep(0.2)
        else:
            listener = Listener(view.url, options.seconds + 4, 20 * options.bodies)
        read, show = Spent(view._drawing, "read"), Spent(view._drawing, "show")
        spent, taken = 0.0, 0

        def play(seconds: float) -> None:
            nonlocal spent, taken
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                began = time.process_time()
                if case == "played":
                    world.write_states(states[taken % len(states)])
                elif case == "solved":
                    world.step()
                spent += time.process_time() - began
                taken += 1
                view.update()
                if case != "solved":
                    time.sleep(max(view._due - time.perf_counter(), 0))

        play(2.0)
        spent, taken = 0.0, 0
        for part in (read, show):
            part.seconds, part.calls = 0.0, 0
        if page is not None:
            then, start = browser_seconds(page), seen(COUNTS)
        began, cpu, main = time.perf_counter(), time.process_time(), time.thread_time()
        play(options.seconds)
        end, cpu, main = time.perf_counter(), time.process_time() - cpu, time.thread_time() - main
        seconds, pictures = end - began, max(show.calls, 1)
        sending = f"{1e3 * (cpu - main) / pictures:6.2f}" if case != "solved" else "-"
        per_picture = " ".join(f"{1e3 * t / pictures:6.2f}" for t in (spent, read.seconds, show.seconds))
        if page is None:
            received = listener.received(began, end) / seconds
            in_browser = f"{'-':>6} {'-':>6} {'-':>6} {'-':>6} {'-':>8}"
        else:
            now, counts = browser_seconds(page), seen(COUNTS)
            received, drawn, frames = ((counts[k] - start[k]) / seconds for k in ("received", "drawn", "frames"))
            time.sleep(1.0)
            page_ms, gpu_ms = (1e3 * (now[k] - then[k]) / max(frames * seconds, 1) for k in ("renderer", "gpu-process"))
            in_browser = f"{drawn:6.1f} {frames:6.1f} {page_ms:6.0f} {gpu_ms:6.0f} {farthest(view, seen):8.0e}"
        print(
            f"{case:8} {client:8} {taken / seconds:7.1f} {show.calls / seconds:6.1f} {received:8.1f} {per_picture} "
            f"{sending:>6} {1e3 * cpu / pictures:6.2f} {in_browser}",
            flush=True,
        )


COUNTS = "({...window.seen, positions: null})"


def farthest(view: View, seen) -> float:
    """[m] A body in the browser from where the World has it."""
    want = view._drawing.read()[0]
    error = 0.0
    for group, node in view._drawing._nodes:
        got = seen(f"Object.values(window.seen.positions[{node.name!r}] ?? {{}})")
        if group.moves and got:
            error = max(error, float(np.abs(np.array(got).reshape(-1, 3) - want[group.rows]).max()))
    return error


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bodies", type=int, default=10000)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each case")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rate", type=float, default=30.0, help="[1/s] of View")
    parser.add_argument("--threads", type=int, default=0, help="of the World")
    parser.add_argument("--no-shadows", action="store_true")
    parser.add_argument("--cases", nargs="+", default=["played", "solved", "at rest"])
    parser.add_argument("--clients", nargs="+", default=["counter", *(["browser"] if browser.PROGRAM else [])])
    options = parser.parse_args()
    world = cairn.World(pile(options.bodies), cairn.WorldOptions(device=cairn.Device(threads=options.threads)))
    states = []
    for _ in range(90):
        world.step()
        states.append(world.read_states())
    columns = ("world", "read", "show", "send", "all", "drawn", "frames", "page", "gpu")
    units = (*["ms"] * 5, "1/s", "1/s", "ms", "ms")
    head = f"{'case':8} {'client':8} {'steps':>7} {'shown':>6} {'received':>8}"
    print(head, *(f"{c:>6}" for c in columns), f"{'error':>8}")
    print(f"{'':17} {'1/s':>7} {'1/s':>6} {'1/s':>8}", *(f"{u:>6}" for u in units), f"{'m':>8}")
    for _ in range(options.repeats):
        for client in options.clients:
            for case in options.cases:
                measure(case, client, states, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
