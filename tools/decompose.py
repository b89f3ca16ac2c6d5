#!/usr/bin/env python3
"""Cuts a concave mesh into convex hulls, for a body that moves: a list of shapes as a scene file has them.

    tools/decompose.py --library build/release/libcairn_c.so chair.obj chair.json [--threshold 0.05] [--hulls N]

Needs the package coacd (Wei, Liu, Ling and Su 2022, Approximate convex decomposition for 3D meshes with
collision-aware concavity and tree search), which nothing else of Cairn does. What was found once is kept in a cache by
the file's content and the settings, so that a mesh is cut once and always into the same hulls.
"""

import argparse
import ctypes
import hashlib
import json
import os
import pathlib
import sys

CAIRN_HULL, CAIRN_MESH = 10, 11


def read_mesh(library, path):
    """Vertices and triangles by Cairn's own reader, which refuses what isn't sound."""
    cairn = ctypes.CDLL(str(library))
    cairn.cairn_last_error.restype = ctypes.c_char_p
    solid, count = ctypes.c_void_p(), ctypes.c_size_t()
    if cairn.cairn_solid_load(os.fsencode(path), CAIRN_MESH, ctypes.c_float(1), ctypes.byref(solid)) != 0:
        sys.exit(f"decompose: {cairn.cairn_last_error().decode()}")

    def numbers(function, kind):
        function(solid, None, ctypes.c_size_t(0), ctypes.byref(count))
        flat = (kind * (3 * count.value))()
        function(solid, flat, count, ctypes.byref(count))
        return [list(flat[k:k + 3]) for k in range(0, len(flat), 3)]

    vertices = numbers(cairn.cairn_solid_vertices, ctypes.c_float)
    triangles = numbers(cairn.cairn_solid_triangles, ctypes.c_uint32)
    cairn.cairn_solid_destroy(solid)
    return vertices, triangles


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mesh", type=pathlib.Path, help="OBJ or STL")
    parser.add_argument("out", type=pathlib.Path, help="JSON: a list for a body's \"shapes\"")
    parser.add_argument("--library", type=pathlib.Path, required=True, help="libcairn_c.so")
    parser.add_argument("--threshold", type=float, default=0.05,
                        help="concavity that may stay, of the mesh's size, 0.01 to 1 (default: 0.05)")
    parser.add_argument("--hulls", type=int, default=-1, help="most hulls (default: as many as the threshold takes)")
    parser.add_argument("--seed", type=int, default=0)
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(home) / "cairn" / "hulls")
    given = parser.parse_args()
    try:
        import coacd
        import numpy
        from importlib.metadata import version
    except ImportError as error:
        sys.exit(f"decompose: needs the package coacd: {error}")

    # of a hull's vertices Cairn takes 1024; fewer make contacts cheaper
    settings = {"threshold": given.threshold, "max_convex_hull": given.hulls, "seed": given.seed, "decimate": True,
                "max_ch_vertex": 64}
    key = hashlib.sha256(given.mesh.read_bytes())
    key.update(json.dumps([version("coacd"), settings], sort_keys=True).encode())
    cached = given.cache / f"{key.hexdigest()}.json"
    if not cached.exists():
        vertices, triangles = read_mesh(given.library, given.mesh)
        coacd.set_log_level("error")
        mesh = coacd.Mesh(numpy.array(vertices, dtype=float), numpy.array(triangles, dtype=numpy.int32))
        parts = coacd.run_coacd(mesh, **settings)
        shapes = [{"hull": {"points": [[float(numpy.float32(x)) for x in p] for p in part]}} for part, _ in parts]
        given.cache.mkdir(parents=True, exist_ok=True)
        # whole or not at all
        fresh = cached.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(shapes))
        fresh.rename(cached)
    shapes = json.loads(cached.read_text())
    given.out.write_text(json.dumps(shapes) + "\n")
    points = sum(len(shape["hull"]["points"]) for shape in shapes)
    print(f"{given.out}: {len(shapes)} hulls, {points} points")


if __name__ == "__main__":
    main()
