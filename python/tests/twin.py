"""What Cairn's articulations and mujoco say of the same robot, at random states."""

from __future__ import annotations

from typing import Any, NamedTuple

import mujoco
import numpy

import cairn
from cairn import convert


class Differences(NamedTuple):
    """The largest over all articulations, links and states."""

    mass: float
    """[1] of an entry of the mass matrix, of the root of the product of its two diagonal entries"""
    bias: float
    """[1] of the forces of gravity and velocities, of the model's largest in any of the states"""
    position: float
    """[1] of a link's origin, of the largest distance of a link from the world's origin, or 1 m where that is less"""
    axes: float
    """[1] of an entry of a link's rotation matrix, which Cairn has from a float32 quaternion"""


class Twin:
    """A scene and the model that it was made of."""

    def __init__(self, model: Any, scene: cairn.Scene, report: convert.Report) -> None:
        self.model, self.scene, self.report = model, scene, report
        self.data = mujoco.MjData(model)
        self.parts = {a.description.name: cairn.Articulations(a.description, 1) for a in scene.articulations()}
        # coordinates, rates and bodies of the model, by articulation
        self.q: dict[str, list[int]] = {name: [] for name in self.parts}
        self.v: dict[str, list[int]] = {name: [] for name in self.parts}
        for j in range(model.njnt):
            place = report.joints.get(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) or f"joint#{j}")
            if place is None:
                continue
            at, d = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
            assert (place.coordinate, place.dof) == (len(self.q[place.articulation]), len(self.v[place.articulation]))
            kind = mujoco.mjtJoint(int(model.jnt_type[j]))
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                self.q[place.articulation] += [at, at + 1, at + 2, at + 4, at + 5, at + 6, at + 3]
                self.v[place.articulation] += range(d, d + 6)
            elif kind == mujoco.mjtJoint.mjJNT_BALL:
                self.q[place.articulation] += [at + 1, at + 2, at + 3, at]
                self.v[place.articulation] += range(d, d + 3)
            else:
                self.q[place.articulation].append(at)
                self.v[place.articulation].append(d)

    def set(self, q: Any, v: Any) -> None:
        self.data.qpos[:], self.data.qvel[:] = q, v
        mujoco.mj_forward(self.model, self.data)
        for name, part in self.parts.items():
            part.set_state(self.data.qpos[self.q[name]], self.data.qvel[self.v[name]])

    def set_random(self, random: numpy.random.Generator) -> None:
        """Hinges up to 1.5 rad from where the model was built, slides 0.5 m, all rates up to 1."""
        q = self.model.qpos0.copy()
        for j in range(self.model.njnt):
            at = int(self.model.jnt_qposadr[j])
            kind = mujoco.mjtJoint(int(self.model.jnt_type[j]))
            if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
                if kind == mujoco.mjtJoint.mjJNT_FREE:
                    q[at : at + 3] += random.uniform(-0.5, 0.5, 3)
                    at += 3
                turn = random.normal(size=4)
                q[at : at + 4] = turn / numpy.linalg.norm(turn)
            else:
                reach = 1.5 if kind == mujoco.mjtJoint.mjJNT_HINGE else 0.5
                q[at] += random.uniform(-reach, reach)
        self.set(q, random.uniform(-1, 1, self.model.nv))

    def differences(self, states: int = 20, seed: int = 1) -> Differences:
        random = numpy.random.default_rng(seed)
        worst = dict.fromkeys(self.parts, (0.0, 0.0, 0.0, 0.0))
        largest = 1e-8  # [N, N m] less is rounding
        for _ in range(states):
            self.set_random(random)
            largest = max(largest, float(numpy.abs(self.data.qfrc_bias).max()))
            for name in self.parts:
                worst[name] = tuple(map(max, worst[name], self._of(name)))  # type: ignore[assignment]
        of = [Differences(mass, bias / largest, at, axes) for mass, bias, at, axes in worst.values()]
        return Differences(*map(max, *of, Differences(0, 0, 0, 0), Differences(0, 0, 0, 0)))

    def _of(self, name: str) -> tuple[float, float, float, float]:
        """As Differences are, but for the bias, which is a force [N, N m]."""
        part, at = self.parts[name], self.v[name]
        full = numpy.zeros((self.model.nv, self.model.nv))
        if hasattr(self.data, "qM"):  # before mujoco 4
            mujoco.mj_fullM(self.model, full, self.data.qM)
        else:
            mujoco.mj_fullM(self.model, self.data, full)
        want = full[numpy.ix_(at, at)]
        size = numpy.sqrt(numpy.diag(want))
        mass = numpy.abs(part.mass_matrix()[0] - want) / numpy.outer(size, size)
        damping = numpy.zeros(part.dofs())
        links = part.description().links
        for i, link in enumerate(links):
            end = part.dof_of(i + 1) if i + 1 < len(links) else part.dofs()
            damping[part.dof_of(i) : end] = link.joint.damping
        bias = part.inverse_dynamics(numpy.zeros(part.dofs()))[0] - damping * part.rates()[0]
        wanted = self.data.qfrc_bias[at]
        states = part.link_states()
        position, axes, far = 0.0, 0.0, 1.0
        for i, link in enumerate(links):
            body = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, link.name)
            if body < 0 or link.mass == 0:
                continue
            far = max(far, float(numpy.linalg.norm(self.data.xpos[body])))
            position = max(position, float(numpy.abs(states.position[0][i] - self.data.xpos[body]).max()))
            turn = numpy.zeros(9)
            x, y, z, w = (float(c) for c in states.orientation[0][i])
            mujoco.mju_quat2Mat(turn, numpy.array([w, x, y, z]))
            axes = max(axes, float(numpy.abs(turn - self.data.xmat[body]).max()))
        return float(mass.max()), float(numpy.abs(bias - wanted).max()), position / far, axes
