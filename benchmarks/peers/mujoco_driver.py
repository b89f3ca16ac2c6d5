#!/usr/bin/env python3
"""Steps a Cairn scene file in MuJoCo and prints its times as one line of JSON, as peer_main.cpp does.

MuJoCo runs at its defaults (soft constraints, pyramidal friction, Euler), with the scene's step; it has sleeping off.
"""

import argparse
import json
import sys
import time

import mujoco
import numpy as np


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def body_xml(body, materials):
    """One body of the scene as MJCF; refuses what peer_bodies.cpp refuses."""
    if len(body["shapes"]) != 1:
        raise ValueError(f'body "{body["name"]}": the peer comparison needs exactly one shape')
    shape = body["shapes"][0]
    if any(shape.get("position", [0])) or shape.get("orientation_xyzw", [0, 0, 0, 1]) != [0, 0, 0, 1]:
        raise ValueError(f'body "{body["name"]}": the peer comparison needs a shape without a local pose')
    material = materials.get(shape.get("material"), {})
    mu = material.get("friction", 0.6)
    # MuJoCo takes the greater friction of a pair, which is the geometric mean only where both are equal
    friction = f'friction="{mu} 0.005 0.0001"'
    if "plane" in shape:
        normal = np.array(shape["plane"]["normal"], float)
        length = np.linalg.norm(normal)
        position = normal / length * shape["plane"].get("offset", 0)
        return mu, f'<geom type="plane" size="0 0 1" pos="{numbers(position)}" zaxis="{numbers(normal)}" {friction}/>'
    if "box" in shape:
        half = shape["box"]["half_extents"]
        geom, volume = f'type="box" size="{numbers(half)}"', 8 * np.prod(half)
    elif "sphere" in shape:
        radius = shape["sphere"]["radius"]
        geom, volume = f'type="sphere" size="{radius!r}"', 4 / 3 * np.pi * radius**3
    else:
        raise ValueError(f'body "{body["name"]}": the peer comparison needs boxes, spheres and planes')
    x, y, z, w = body.get("orientation_xyzw", [0, 0, 0, 1])
    place = f'pos="{numbers(body.get("position", [0, 0, 0]))}" quat="{numbers([w, x, y, z])}"'
    if body["type"] == "static":
        return mu, f"<geom {geom} {place} {friction}/>"
    mass = float(body.get("mass") or volume * (body.get("density") or material["density"]))
    return mu, f'<body {place}><freejoint/><geom {geom} mass="{mass!r}" {friction}/></body>'


def build(scene, solver):
    materials = {m["name"]: m for m in scene.get("materials", [])}
    dt = scene.get("solver", {}).get("dt", 1 / 60)
    bodies = [body_xml(b, materials) for b in scene["bodies"]]
    if len({mu for mu, _ in bodies}) > 1:
        raise ValueError("the comparison with MuJoCo needs one friction for the whole scene")
    choice = f'solver="{solver}"' if solver else ""
    xml = (
        f'<mujoco><option timestep="{dt!r}" gravity="{numbers(scene.get("gravity", [0, 0, -9.81]))}" {choice}>'
        # a state that blew up must show, not start afresh
        '<flag autoreset="disable"/></option>'
        f'<size memory="4G"/><worldbody>{"".join(b for _, b in bodies)}</worldbody></mujoco>'
    )
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    dynamic = [i for i, b in enumerate(scene["bodies"]) if b["type"] == "dynamic"]
    data.qvel.reshape(-1, 6)[:] = [
        list(scene["bodies"][i].get("linear_velocity", [0, 0, 0]))
        + list(scene["bodies"][i].get("angular_velocity", [0, 0, 0]))
        for i in dynamic
    ]
    return model, data, dynamic


def states(data, dynamic, start):
    """13 doubles a body, in the scene's order and in world axes (poses.h)."""
    out = start.copy()
    q = data.qpos.reshape(-1, 7)
    v = data.qvel.reshape(-1, 6)
    out[dynamic, 0:3] = q[:, 0:3]
    out[dynamic, 3:6] = q[:, 4:7]
    out[dynamic, 6] = q[:, 3]
    out[dynamic, 7:10] = v[:, 0:3]
    # a free joint's angular velocity is in the body's axes
    turned = np.zeros(3)
    for i, body in enumerate(dynamic):
        mujoco.mju_rotVecQuat(turned, v[i, 3:6], q[i, 3:7])
        out[body, 10:13] = turned
    return out


def mean(ms, first, last):
    end = min(last, len(ms))
    begin = first if first < end else 0
    return float(np.mean(ms[begin:end])) if end else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene")
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--first", type=int, default=120)
    parser.add_argument("--last", type=int, default=240)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1e9)
    parser.add_argument("--poses")
    parser.add_argument("--every", type=int, default=6)
    parser.add_argument("--solver", default="", help="Newton, CG or PGS; MuJoCo's default if absent")
    args = parser.parse_args()
    if args.threads != 1:
        sys.exit("mujoco: mj_step runs on one thread")

    with open(args.scene, encoding="utf-8") as file:
        scene = json.load(file)
    model, data, dynamic = build(scene, args.solver)
    start = np.zeros((len(scene["bodies"]), 13))
    for row, body in zip(start, scene["bodies"]):
        row[0:3] = body.get("position", [0, 0, 0])
        row[3:7] = body.get("orientation_xyzw", [0, 0, 0, 1])

    cpu, wall, frames, recorded = [], [], [], []
    began = time.process_time()
    for step in range(args.steps):
        if time.process_time() - began > args.limit:
            break
        wall_before, cpu_before = time.perf_counter_ns(), time.process_time_ns()
        mujoco.mj_step(model, data)
        cpu.append(1e-6 * (time.process_time_ns() - cpu_before))
        wall.append(1e-6 * (time.perf_counter_ns() - wall_before))
        if args.poses and (step + 1) % args.every == 0:
            frames.append(states(data, dynamic, start))
            recorded.append(step + 1)
    if args.poses:
        with open(args.poses, "wb") as file:
            head = {"engine": "mujoco", "bodies": len(start), "steps": recorded}
            file.write((json.dumps(head) + "\n").encode())
            file.writelines(frame.astype("<f8").tobytes() for frame in frames)
    result = {
        "engine": "mujoco",
        "version": f"{mujoco.__version__}, wheel, double" + (f", {args.solver}" if args.solver else ""),
        "threads": 1,
        "bodies": len(start),
        "steps": len(cpu),
        "complete": len(cpu) == args.steps,
        "warnings": [mujoco.mju_warningText(i, int(w.lastinfo)) for i, w in enumerate(data.warning) if w.number],
        "cpu_ms": mean(cpu, args.first, args.last),
        "wall_ms": mean(wall, args.first, args.last),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
