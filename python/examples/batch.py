# %% [markdown]
# # A thousand worlds
# A thousand boxes, each in a world of its own, are pushed by a numpy array where it lies: no copy is made. Those slide
# whose push is over friction.

# %%
import numpy as np

import cairn

scene = cairn.Scene()
stone = scene.add_material(cairn.Material(name="stone", density=1000))
scene.add_body(cairn.Body(type=cairn.BodyType.STATIC, shapes=[cairn.Shape(cairn.Plane(), material=stone)]))
scene.add_body(cairn.Body(position=(0, 0, 0.5), shapes=[cairn.Shape(cairn.Box((0.5, 0.5, 0.5)), material=stone)]))
world = cairn.World.copies(scene, 1000, cairn.WorldOptions(device="cpu"))

# %% [markdown]
# Loads are forgotten after each step, so they are written before each. `written` tells the World of it.

# %%
force = world.arrays["force"]
pushes = np.linspace(0, 12000, 1000, dtype=np.float32)  # [N] along x, another in each world
dynamic = np.asarray(world.arrays["row_slot"])[1::2]  # slots of the boxes
for _ in range(30):
    force[dynamic, 0] = pushes
    world.arrays.written(cairn.Written.LOADS)
    world.step()

# %%
states = world.read_states()
moved = states.position[1::2, 0] > 1e-3
print(f"{int(moved.sum())} of 1000 boxes slide: those pushed by over {pushes[moved].min():.0f} N.")
