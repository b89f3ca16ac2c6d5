"""A browser without a screen, by the DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """A page of Chromium, drawn in software. What it logs is in `faults` if it is an error or an exception.

    first: a script that runs before those of the page.
    """

    def __init__(self, folder: Path, url: str, width: int = 1000, height: int = 640, first: str = "") -> None:
        from websockets.sync.client import connect

        self.faults: list[str] = []
        self._asked = 0
        self._process = subprocess.Popen(
            [
                str(PROGRAM),
                *(
                    "--headless=new",
                    "--no-sandbox",
                    "--no-first-run",
                    "--disable-extensions",
                    "--disable-dev-shm-usage",
                ),
                *("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"),
                *(f"--window-size={width},{height}", f"--user-data-dir={folder}", "--remote-debugging-port=0"),
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            port = self._port(folder / "DevToolsActivePort")
            self._page = self._first_page(port, connect)
            for domain in ("Page", "Runtime", "Log"):
                self.call(f"{domain}.enable")
            if first:
                self.call("Page.addScriptToEvaluateOnNewDocument", source=first)
            self.call("Page.navigate", url=url)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Of its first process; the others are in the session that it leads."""
        return self._process.pid

    def call(self, method: str, **params):
        """Its result."""
        self._asked += 1
        self._page.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            said = json.loads(self._page.recv(timeout=60))
            self._note(said)
            if said.get("id") == self._asked:
                assert "error" not in said, said
                return said["result"]

    def screenshot(self) -> bytes:
        """A PNG of the page."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def mouse(self, kind: str, x: float, y: float, *, ctrl: bool = False, pressed: bool = False) -> None:
        """kind: mousePressed, mouseMoved or mouseReleased, of the left button."""
        button = {"button": "left", "buttons": int(pressed), "clickCount": int(kind != "mouseMoved")}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, modifiers=2 * ctrl, **button)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self.close()

    def _note(self, said) -> None:
        params = said.get("params", {})
        if said.get("method") == "Runtime.exceptionThrown":
            self.faults.append(json.dumps(params["exceptionDetails"])[:500])
        elif said.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.faults.append(json.dumps(params["args"])[:500])
        elif said.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.faults.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    def _port(self, file: Path) -> int:
        until = time.monotonic() + 60
        while not (file.exists() and file.read_text()):
            if time.monotonic() > until or self._process.poll() is not None:
                raise RuntimeError("Chromium doesn't start")
            time.sleep(0.05)
        return int(file.read_text().split()[0])

    def _first_page(self, port: int, connect):
        import urllib.request

        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=30) as answer:
            page = next(target for target in json.load(answer) if target["type"] == "page")
        return connect(page["webSocketDebuggerUrl"], max_size=None, proxy=None)
