# %% [markdown]
# # A batch with randomisation
# Five hundred boxes on slopes of 25 degrees, each in a world of its own and with a friction of its own. By Coulomb's
# law those slide whose friction is under tan 25 degrees.

# %%
import math

import numpy as np

import cairn

WORLDS, ANGLE, FRICTION, STEPS = 500, math.radians(25), 0.6, 60
G = 9.81  # [m/s^2]

# %% [markdown]
# One scene for all. The floor stays level and gravity leans instead, which is the same.

# %%
scene = cairn.Scene()
wood = scene.add_material(cairn.Material(name="wood", density=500, friction=FRICTION))
scene.add_body(cairn.Body(type="static", shapes=[cairn.Shape(cairn.Plane(), material=wood)]))
scene.add_body(cairn.Body(position=(0, 0, 0.5), shapes=[cairn.Shape(cairn.Box(), material=wood)]))
scene.set_gravity((G * math.sin(ANGLE), 0, -G * math.cos(ANGLE)))
world = cairn.World.copies(scene, WORLDS, cairn.WorldOptions(device="cpu"))

# %% [markdown]
# `randomise` draws factors for the worlds that are chosen, here all: friction between 0.3 and 0.7, and mass, which
# changes nothing here. The numbers follow from each world's seed, and are the same on every device.

# %%
for i in range(WORLDS):
    world.scales.set_seed(i, i)
draws = cairn.Randomisation(friction=cairn.Range(0.5, 7 / 6), mass=cairn.Range(0.5, 2))
world.scales.randomise(np.ones(WORLDS, np.uint8), draws)
friction = np.array([FRICTION * world.scales.get(i).friction for i in range(WORLDS)])

# %%
world.step(STEPS)
moved = world.read_states().position[1::2, 0]  # each world has two bodies, floor and box
slides = moved > 1e-3
time = STEPS * world.params().dt
expected = 0.5 * G * (math.sin(ANGLE) - friction * math.cos(ANGLE)) * time**2
print(f"{int(slides.sum())} of {WORLDS} boxes slide.")
most, least = friction[slides].max(), friction[~slides].min()
print(f"Frictions up to {most:.4f} slide, from {least:.4f} on they hold; tan 25 = {math.tan(ANGLE):.4f}.")
print(f"What slides is within {1e3 * np.abs(moved - expected)[slides].max():.1f} mm of g (sin a - mu cos a) t^2 / 2.")
