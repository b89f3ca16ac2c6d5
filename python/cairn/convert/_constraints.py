"""Equalities -> joints of a scene, and exclusions -> bodies that ignore each other."""

from __future__ import annotations

import numpy

import cairn

from ._couplings import JOINT, TENDON
from ._frames import HERE, Place, unit
from ._links import Bodies
from ._names import Model, disabled, mujoco, name_of, quoted
from ._report import Report

CONNECT, WELD = int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD)


def held_bodies(model: Model) -> set[int]:
    """Bodies of the model that joints will hold."""
    held: set[int] = set()
    for e in range(model.neq):
        if int(model.eq_type[e]) in (CONNECT, WELD) and model.eq_active0[e] and not disabled(model, "equality"):
            held |= {b for b, _ in _ends(model, e)}
    return held


def add_joints(model: Model, scene: cairn.Scene, bodies: Bodies, report: Report) -> None:
    for e in range(model.neq):
        named = quoted(model, "equality", e)
        kind = int(model.eq_type[e])
        if kind in (JOINT, TENDON):
            continue
        if kind not in (CONNECT, WELD):
            report.drop(f"couplings: {mujoco.mjtEq(kind).name[5:].lower()}", named)
        elif not model.eq_active0[e] or disabled(model, "equality"):
            report.drop("equalities that are off", named)
        else:
            _add_joint(model, e, scene, bodies, report)


def _ends(model: Model, e: int) -> list[tuple[int, Place]]:
    """Bodies and where the joint is on each."""
    one, two = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
    if int(model.eq_objtype[e]) == int(mujoco.mjtObj.mjOBJ_SITE):
        return [
            (
                int(model.site_bodyid[s]),
                Place(numpy.array(model.site_pos[s], float), numpy.array(model.site_quat[s], float)),
            )
            for s in (one, two)
        ]
    data = numpy.array(model.eq_data[e], float)
    if int(model.eq_type[e]) == CONNECT:
        return [(one, Place(data[0:3], HERE.turn)), (two, Place(data[3:6], HERE.turn))]
    # a point of each, the second's first, and the second body's turn in the first
    return [(one, Place(data[3:6], unit(data[6:10]))), (two, Place(data[0:3], HERE.turn))]


def _add_joint(model: Model, e: int, scene: cairn.Scene, bodies: Bodies, report: Report) -> None:
    ends = []
    for body, place in _ends(model, e):
        if int(model.body_weldid[body]) == 0:
            ends.append((cairn.WORLD_BODY, bodies.place[body] @ place))
        elif body not in bodies.scene_body:
            report.drop("equalities of bodies without mass or geoms", quoted(model, "equality", e))
            return
        else:
            ends.append((bodies.scene_body[body], bodies.place[body] @ place))
    (a, frame_a), (b, frame_b) = ends
    if a == b:
        report.drop("equalities within one body", quoted(model, "equality", e))
        return
    connect = int(model.eq_type[e]) == CONNECT
    scene.add_joint(
        cairn.Joint(
            name=name_of(model, "equality", e),
            body_a=a,
            body_b=b,
            frame_a=frame_a.joint_frame(),
            frame_b=frame_b.joint_frame(),
            kind=cairn.BallJoint() if connect else cairn.FixedJoint(),
            collide=True,
        )
    )
    report.approximate("equalities are rigid, whatever their solref", quoted(model, "equality", e))


def ignore_excluded(model: Model, scene: cairn.Scene, bodies: Bodies) -> None:
    for x in range(model.nexclude):
        signature = int(model.exclude_signature[x])
        one, two = (bodies.scene_body.get(b) for b in (signature >> 16, signature & 0xFFFF))
        if one is not None and two is not None and one != two:
            scene.ignore(one, two)
