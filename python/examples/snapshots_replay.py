# %% [markdown]
# # Snapshots, branches and replays
# A ball flies at a tower. A snapshot is the whole World between two steps: what goes on from it has the same bits.

# %%
import pathlib
import tempfile

import cairn

scene = cairn.Scene()
stone = scene.add_material(cairn.Material(name="stone", density=1000, friction=0.6))
scene.add_body(cairn.Body(name="floor", type="static", shapes=[cairn.Shape(cairn.Plane(), material=stone)]))
for i in range(5):
    box = cairn.Shape(cairn.Box(), material=stone)
    scene.add_body(cairn.Body(name=f"box{i}", position=(0, 0, 0.5 + i), shapes=[box]))
iron = scene.add_material(cairn.Material(name="iron", density=7800, friction=0.6))
ball = cairn.Shape(cairn.Sphere(0.4), material=iron)
scene.add_body(cairn.Body(name="ball", position=(-4, 0, 3.5), linear_velocity=(12, 0, 2), shapes=[ball]))
world = cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))
world.step(10)

# %% [markdown]
# Back to the snapshot, and on again: the hash of the state says whether any bit differs.

# %%
before = world.snapshot()
world.step(60)
first = world.state_hash()
world.restore(before)
world.step(60)
print(f"The same bits again: {world.state_hash() == first}.")

# %% [markdown]
# The snapshot as a file, and four branches of it in one batch, where the ball gets another speed each.

# %%
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "before.snapshot"
    before.save(file)
    branches = cairn.World.copies(cairn.Snapshot.load(file), 4, cairn.WorldOptions(device="cpu"))
for i in range(4):
    flying, struck = branches.find_body("ball", i), branches.find_body("box4", i)
    assert flying and struck
    branches.set_velocity(flying, (4.0 * i, 0, 2), (0, 0, 0))
branches.step(120)
places = [branches.state(branches.bodies(i)[5]).position[0] for i in range(4)]
print(f"The upper box is at x = {', '.join(f'{x:.2f}' for x in places)} m.")

# %% [markdown]
# A recording holds a snapshot, all calls that changed the World, and the hash after each step. `replay` makes the calls
# again, here on two threads, and compares.

# %%
world.restore(before)
world.start_recording()
top = world.find_body("box4")
assert top
for step in range(60):
    if step == 30:
        world.add_impulse(top, (0, 500, 0))
    world.step()
recording = world.stop_recording()
again = cairn.replay(recording, cairn.WorldOptions(device=cairn.Device(threads=2)))
print(f"{again.steps} steps replayed, difference: {again.difference}.")
