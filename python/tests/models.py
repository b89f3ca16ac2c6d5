"""What the tests of cairn.convert share: small models in MJCF, and what mujoco says of them."""

import pathlib

import mujoco
import numpy

import cairn
from cairn import convert

from twin import Twin

# what float32 turns and inertias are rounded by, times what a chain adds up
CLOSE = 1e-6


def load(tmp_path: pathlib.Path, xml: str, name: str = "robot.xml", **options):
    file = tmp_path / name
    file.write_text(xml)
    return convert.load(file, **options)


def both(tmp_path: pathlib.Path, body: str, rest: str = ""):
    """The scene and its report, and the model."""
    xml = f'<mujoco><option gravity="0.3 0.2 -9.81"/><worldbody>{body}</worldbody>{rest}</mujoco>'
    scene, report = load(tmp_path, xml)
    return scene, report, mujoco.MjModel.from_xml_string(xml)


def expect_twins(scene, report, model, states=20):
    differences = Twin(model, scene, report).differences(states)
    assert max(differences) < CLOSE, differences
    assert cairn.parse_scene(scene.to_json()).articulations() == scene.articulations()
    return differences


def expect_closing_in(scene, report, model, q, v, controls=()):
    """A second's motion from q and v closes in on mujoco's with shorter steps. mujoco by Runge and Kutta at 0.1 ms is
    exact beside a method of first order."""
    model.opt.timestep, model.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    theirs = None

    def off_by(steps: int) -> float:
        nonlocal theirs
        twin = Twin(model, scene, report)
        twin.set(q, v)
        (part,), (at,) = twin.parts.values(), twin.q.values()
        target = report.targets.get(next(iter(twin.parts)))
        if target is None:
            target = cairn.ArticulationState(list(part.positions()[0]), [0.0] * part.dofs())
        for name, control in dict(controls).items():
            report.actuators[name].set_target(control, target)
        part.set_targets(target.q, target.v)
        for _ in range(steps):
            part.step(1 / steps)
        if theirs is None:
            for name, control in dict(controls).items():
                twin.data.ctrl[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_ACTUATOR, name)] = control
            for _ in range(10000):
                mujoco.mj_step(model, twin.data)
            theirs = twin.data.qpos[at].copy()
        return float(numpy.abs(part.positions()[0] - theirs).max())

    coarse, fine = off_by(1000), off_by(2000)
    assert coarse < 0.1
    # of first order, or of second where that is small
    assert 1.7 < coarse / fine < 4.4, (coarse, fine)


GEOM = '<geom type="box" size=".1 .05 .02" pos=".1 .02 0" euler="10 20 30"/>'
OTHER = '<geom size=".05" pos="0 0 -.2"/>'
