# %% [markdown]
# # A robot from MJCF
# An arm of two links with position servos, as a file of MuJoCo's format. `cairn.convert` makes a scene of it, by the
# package `mujoco`.

# %%
import pathlib
import tempfile

import cairn
from cairn import convert

MODEL = """
<mujoco model="arm">
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" mass="2"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.025" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="200" kv="20"/>
    <position name="elbow" joint="elbow" kp="100" kv="5"/>
  </actuator>
</mujoco>
"""

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "arm.xml"
    file.write_text(MODEL)
    scene, report = convert.load(file)
print(report)
world = cairn.World(scene, cairn.WorldOptions(device="cpu"))
report.start(world)

# %% [markdown]
# A control is the angle that a servo pulls to: `report.actuators` says where it belongs among the arm's coordinates.

# %%
controls = {"shoulder": 0.8, "elbow": 0.5}  # [rad]
arm = world.articulations.list()[0]
targets = cairn.ArticulationState([0.0, 0.0], [0.0, 0.0])
for name, control in controls.items():
    actuator = report.actuators[name]
    targets.q[actuator.place.coordinate] = actuator.scale * control + actuator.offset
world.articulations.set_targets(arm, targets)
world.step(600)  # 10 s

# %% [markdown]
# The arm hangs a little lower than it is told to, by what its weight turns the servos.

# %%
q = world.state(arm).q
for name, control in controls.items():
    print(f"{name}: {q[report.joints[name].coordinate]:.5f} rad, told {control} rad")
