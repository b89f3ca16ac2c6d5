#!/usr/bin/env python3
"""Writes tests/articulations/data/mujoco.json: random trees of 2 to 50 degrees of freedom, and what MuJoCo says of them.

Needs the package `mujoco` (the file names the version that it was written with); nothing else of Cairn does. All that
describes a model is exact as a float; joints are made the way of include/cairn/articulation.h, and given to MuJoCo as
bodies, joint positions and axes.
"""
import json
import pathlib

import mujoco
import numpy as np

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "articulate" / "data" / "mujoco.json"
DOFS = {"fixed": 0, "revolute": 1, "prismatic": 1, "ball": 3, "free": 6}
STATES = 3  # of each model


def exact(values):
    """Rounded to float, as doubles."""
    return [float(np.float32(v)) for v in values]


def turn(q):
    """Rotation matrix of the quaternion x, y, z, w, made unit."""
    x, y, z, w = np.array(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def times(a, b):
    """Product of quaternions x, y, z, w."""
    u, v = np.array(a[:3]), np.array(b[:3])
    return np.append(a[3] * v + b[3] * u + np.cross(u, v), a[3] * b[3] - u @ v)


def unit(q):
    return np.array(q) / np.linalg.norm(q)


def random_link(rng, index, kind, parent):
    basis, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    moments = rng.uniform(0.02, 0.03, 3)  # no two are under the third
    tensor = basis @ np.diag(moments) @ basis.T
    plain = kind == "free"  # MuJoCo knows no frames of free joints
    straight = plain or kind == "ball"  # its balls turn in the axes of their body
    here = [0.0, 0.0, 0.0]
    return {
        "name": f"link{index}", "parent": parent, "kind": kind,
        "armature": 0.0 if kind == "fixed" else exact([rng.uniform(0, 0.05)])[0],
        "damping": 0.0 if kind == "fixed" else exact([rng.uniform(0, 0.3)])[0],
        "position_in_parent": here if plain else exact(rng.uniform(-0.3, 0.3, 3)),
        "orientation_in_parent": [0.0, 0.0, 0.0, 1.0] if plain else exact(rng.normal(size=4)),
        "position_in_link": here if plain else exact(rng.uniform(-0.3, 0.3, 3)),
        "orientation_in_link": [0.0, 0.0, 0.0, 1.0] if straight else exact(rng.normal(size=4)),
        "mass": exact([rng.uniform(0.5, 2)])[0],
        "centre_of_mass": exact(rng.uniform(-0.2, 0.2, 3)),
        "moments": exact(np.diag(tensor)),
        "products": exact([tensor[0, 1], tensor[0, 2], tensor[1, 2]]),
    }


def random_tree(rng, dofs, floating):
    links = []
    left = dofs
    if floating:
        links.append(random_link(rng, 0, "free", -1))
        left -= 6
    while left > 0:
        kinds = [k for k in ("revolute", "revolute", "revolute", "prismatic", "ball", "fixed") if DOFS[k] <= left]
        kind = kinds[rng.integers(len(kinds))]
        if not links and kind == "fixed":
            continue
        # mostly chains, with some branches; a model that doesn't float hangs from the world by its first link alone
        parent = len(links) - 1 if rng.uniform() < 0.7 else int(rng.integers(len(links))) if links else -1
        links.append(random_link(rng, len(links), kind, parent))
        left -= DOFS[kind]
    return links


def text(values):
    return " ".join(repr(float(v)) for v in values)


def body_xml(links, index):
    link = links[index]
    q1, q2 = unit(link["orientation_in_parent"]), unit(link["orientation_in_link"])
    q = times(q1, q2 * [-1, -1, -1, 1])
    at = np.array(link["position_in_parent"]) - turn(q) @ np.array(link["position_in_link"])
    xml = f'<body name="{link["name"]}" pos="{text(at)}" quat="{text([q[3], q[0], q[1], q[2]])}">'
    xml += (f'<inertial pos="{text(link["centre_of_mass"])}" mass="{link["mass"]!r}" '
            f'fullinertia="{text(link["moments"] + link["products"])}"/>')
    if link["kind"] == "free":
        xml += f'<joint type="free" armature="{link["armature"]!r}" damping="{link["damping"]!r}"/>'
    elif link["kind"] != "fixed":
        kind = {"revolute": "hinge", "prismatic": "slide", "ball": "ball"}[link["kind"]]
        axis = "" if kind == "ball" else f'axis="{text(turn(q2)[:, 0])}" '
        xml += (f'<joint type="{kind}" pos="{text(link["position_in_link"])}" {axis}armature="{link["armature"]!r}" '
                f'damping="{link["damping"]!r}"/>')
    for child, other in enumerate(links):
        if other["parent"] == index:
            xml += body_xml(links, child)
    return xml + "</body>"


def in_our_order(links, model):
    """Of our coordinates and rates, MuJoCo's: it goes through a tree depth first, and has scalars first."""
    coordinates, rates = [], []
    for link in links:
        if link["kind"] == "fixed":
            continue
        joint = model.body(link["name"]).jntadr[0]
        c, d = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        if link["kind"] == "free":
            coordinates += [c, c + 1, c + 2, c + 4, c + 5, c + 6, c + 3]
        elif link["kind"] == "ball":
            coordinates += [c + 1, c + 2, c + 3, c]
        else:
            coordinates.append(c)
        rates += list(range(d, d + DOFS[link["kind"]]))
    return coordinates, rates


def answers(rng, links, gravity):
    xml = ('<mujoco><compiler angle="radian" boundmass="0" boundinertia="0"/>'
           f'<option gravity="{text(gravity)}"><flag contact="disable" constraint="disable"/></option><worldbody>')
    xml += "".join(body_xml(links, i) for i, link in enumerate(links) if link["parent"] == -1)
    model = mujoco.MjModel.from_xml_string(xml + "</worldbody></mujoco>")
    data = mujoco.MjData(model)
    coordinates, rates = in_our_order(links, model)
    states = []
    for _ in range(STATES):
        v = rng.normal(size=model.nv)
        mujoco.mj_resetData(model, data)
        mujoco.mj_integratePos(model, data.qpos, rng.uniform(-1.5, 1.5, model.nv), 1.0)
        data.qvel[:] = v
        data.qfrc_applied[:] = 5 * rng.normal(size=model.nv)
        mujoco.mj_forward(model, data)
        states.append({"q": data.qpos[coordinates].tolist(), "v": data.qvel[rates].tolist(),
                       "force": data.qfrc_applied[rates].tolist(), "qacc": data.qacc[rates].tolist()})
    return states


def main():
    rng = np.random.default_rng(5)
    models = []
    for dofs in (2, 7, 20, 50):
        for floating in ([False] if dofs == 2 else [False, True]):
            links = random_tree(rng, dofs, floating)
            gravity = exact([0.3, -0.2, -9.81])
            models.append({"name": f"{dofs}{' floating' if floating else ''}", "gravity": gravity, "links": links,
                           "states": answers(rng, links, gravity)})
    OUT.write_text(json.dumps({"mujoco": mujoco.__version__, "models": models}, indent=1) + "\n")


if __name__ == "__main__":
    main()
