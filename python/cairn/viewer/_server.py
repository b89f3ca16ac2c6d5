"""The web server: who may listen to it, and who may speak to it."""

from __future__ import annotations

import contextlib
import http
import ipaddress
import logging
import socket
import threading
from collections.abc import Callable, Collection, Iterator
from typing import Any
from urllib.parse import urlsplit

import rich
import viser
import websockets.asyncio.server

from .._core import InvalidArgument

PORTS = 100  # that are tried from the one that is asked for

_making = threading.Lock()


class Server(viser.ViserServer):
    """viser's server, which answers pages of its own alone and opens no tunnel.

    host: the address to listen on. port: the first to try, 1 to 65535.
    names: others than localhost, the host and plain addresses under which browsers reach it.

    Raises InvalidArgument where it can't listen.
    """

    def __init__(self, host: str, port: int, label: str, names: Collection[str]) -> None:
        port = free_port(host, port)
        # websockets logs each connection that ends before it has begun: to handlers that a program gave it alone
        logging.getLogger("websockets.server").addHandler(logging.NullHandler())
        known = {"localhost", host.lower(), *(name.lower() for name in names)}
        if not _is_loopback(host):
            known.add(socket.gethostname().lower())
        with _making, _quiet(), _guarded(known) as guards:
            super().__init__(host=host, port=port, label=label, verbose=False)
            if not guards:
                super().stop()
                raise RuntimeError(f"viser {viser.__version__} starts its server in a way that can't be guarded")

    def request_share_url(self, verbose: bool = True) -> str | None:
        """No browser may ask for a tunnel into this machine."""
        return None

    def stop(self) -> None:
        with _quiet():
            super().stop()

    @property
    def url(self) -> str:
        host = self.get_host()
        if host in ("0.0.0.0", "::", ""):
            host = "localhost"
        return f"http://{f'[{host}]' if ':' in host else host}:{self.get_port()}"


def refusal(host: str | None, origin: str | None, known: Collection[str]) -> str:
    """Why a request isn't answered; empty if it is.

    A page of another origin may not speak to the server. Neither may a page of a name that was made to point to this
    machine (DNS rebinding), whose origin is its own host. A program that isn't a browser sends no origin.

    host, origin: headers of the request. known: names of this server beside plain addresses, in lower case.
    """
    try:
        name = urlsplit(f"//{host}").hostname if host else None
        page = urlsplit(origin) if origin is not None else None
    except ValueError:
        return f"malformed Host {host!r} or Origin {origin!r}"
    if not name:
        return "no Host"
    if name not in known and not _is_address(name):
        return f"Host {name} is no name of this server; View(names=[{name!r}]) makes it one"
    if page is not None and page.netloc.lower() != str(host).lower():
        return f"Origin {origin} is not this server"
    return ""


def free_port(host: str, port: int) -> int:
    """The first port from `port` on that can be listened to. Raises InvalidArgument if there is none."""
    if not 1 <= port <= 65535:
        raise InvalidArgument(f"port: must be 1 to 65535, is {port}")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise InvalidArgument(f"host: there is no {host!r}: {error.strerror}") from None
    fault = ""
    for tried in range(port, min(port + PORTS, 65536)):
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((address[0], tried))
                return tried
            except OSError as error:
                fault = str(error.strerror)
    raise InvalidArgument(f"host: can't listen on {host} at port {port} or the {PORTS} after it: {fault}")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


@contextlib.contextmanager
def _guarded(known: Collection[str]) -> Iterator[list[str]]:
    """Servers of websockets that start meanwhile refuse what `refusal` refuses; the list says that one did.

    viser gives websockets no origins to check, and has no hook for it: its call to `serve` is where one can be put in.
    """
    plain = websockets.asyncio.server.serve
    guards: list[str] = []

    def serve(*args: Any, process_request: Callable[..., Any] | None = None, **options: Any) -> Any:
        def guard(connection: Any, request: Any) -> Any:
            hosts, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
            if len(hosts) > 1 or len(origins) > 1:
                fault = "more than one Host or Origin"
            else:
                fault = refusal(hosts[0] if hosts else None, origins[0] if origins else None, known)
            if fault:
                return connection.respond(http.HTTPStatus.FORBIDDEN, f"{fault}\n")
            return process_request(connection, request) if process_request is not None else None

        guards.append("process_request")
        return plain(*args, process_request=guard, **options)

    websockets.asyncio.server.serve = serve  # type: ignore[assignment, misc]
    try:
        yield guards
    finally:
        websockets.asyncio.server.serve = plain  # type: ignore[misc]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """viser prints a frame when it starts and a line when it stops."""
    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
