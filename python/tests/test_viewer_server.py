"""cairn.viewer's server: who may listen to it, and who may speak to it."""

import http.client
import socket

import pytest

pytest.importorskip("viser", reason="without viser")

from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from cairn.viewer import View, _server  # noqa: E402


@pytest.mark.parametrize(
    ("host", "origin", "fault"),
    [
        ("127.0.0.1:8080", None, ""),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", ""),
        ("localhost:9000", "http://localhost:9000", ""),  # a tunnel's own port
        ("[::1]:8080", "http://[::1]:8080", ""),
        ("cairn.example", "https://cairn.example", ""),
        ("127.0.0.1:8080", "http://evil.example", "Origin http://evil.example is not this server"),
        ("127.0.0.1:8080", "http://127.0.0.1:9999", "Origin"),
        ("127.0.0.1:8080", "null", "Origin null"),
        ("evil.example:8080", "http://evil.example:8080", "Host evil.example is no name of this server"),
        ("127.0.0.1.evil.example", None, "Host 127.0.0.1.evil.example"),
        ("[", None, "malformed"),
        (None, None, "no Host"),
    ],
)
def test_foreign_pages_are_refused(host, origin, fault):
    said = _server.refusal(host, origin, {"localhost", "cairn.example"})
    assert said.startswith(fault) and bool(said) == bool(fault)


def speak(view: View, **headers: str):
    import viser

    at = f"ws://127.0.0.1:{view._server.get_port()}"
    host = headers.pop("Host", None)
    protocol = [f"viser-v{viser.__version__}"]
    if host is None:
        return connect(at, subprotocols=protocol, additional_headers=headers, max_size=None, proxy=None)
    sock = socket.create_connection(("127.0.0.1", view._server.get_port()))
    return connect(
        f"ws://{host}", sock=sock, subprotocols=protocol, additional_headers=headers, max_size=None, proxy=None
    )


def test_the_server_speaks_to_its_own_pages_alone(view):
    port = view._server.get_port()
    speak(view).close()
    speak(view, Origin=f"http://127.0.0.1:{port}").close()
    for headers in (
        {"Origin": "http://evil.example"},
        {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"},
    ):
        with pytest.raises(InvalidStatus, match="403"):
            speak(view, **headers)
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for host, status in ((f"127.0.0.1:{port}", 200), ("evil.example", 403)):
        page.putrequest("GET", "/", skip_host=True)
        page.putheader("Host", host)
        page.endheaders()
        answer = page.getresponse()
        assert answer.status == status, answer.read()
        page.close()
    assert view._server.request_share_url() is None


def test_the_server_listens_on_one_address_and_ends_with_the_view(world):
    with View(world) as view:
        port = view._server.get_port()
        socket.create_connection(("127.0.0.1", port)).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port))
        with View(world, port=port) as other:
            assert other._server.get_port() > port
    assert view.closed and not view.update()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_two_browsers_see_the_same(view, world):
    with speak(view) as one, speak(view) as other:
        world.step(30)
        view._show_now()
        moving = next(node for group, node in view._drawing._nodes if group.moves)
        want = moving.batched_positions.tobytes()
        for browser in (one, other):
            while want not in browser.recv(timeout=30):
                pass
