# %% [markdown]
# # Stacks that stand
# Twenty unit boxes on top of each other, held for 10 s. More substeps cost more and make contacts stiffer: the tower
# settles less. `QualityMeter` measures by code that shares nothing with the solver.

# %%
import cairn

HEIGHT = 20


def tower(substeps: int) -> cairn.Scene:
    scene = cairn.Scene()
    stone = scene.add_material(cairn.Material(name="stone", density=1000, friction=0.6))
    scene.add_body(cairn.Body(name="floor", type="static", shapes=[cairn.Shape(cairn.Plane(), material=stone)]))
    for i in range(HEIGHT):
        box = cairn.Shape(cairn.Box(), material=stone)
        scene.add_body(cairn.Body(name=f"box{i}", position=(0, 0, 0.5 + i), shapes=[box]))
    params = scene.params()
    params.substeps = substeps
    scene.set_params(params)
    return scene


# %% [markdown]
# How far the top is below where it would be without any overlap, and the deepest overlap of two boxes.


# %%
def held(substeps: int) -> cairn.Quality:
    scene = tower(substeps)
    meter = cairn.QualityMeter(scene, cairn.QualityRules(nominal_height=HEIGHT - 0.5))
    world = cairn.World(scene, cairn.WorldOptions(device="cpu"))
    for _ in range(600):
        world.step()
        meter.observe(world)
    return meter.measure(world)


for substeps in (3, 6, 12):
    figures = held(substeps)
    print(
        f"{substeps} substeps: {figures.fallen} fell, the top is {1e3 * figures.height_loss:.2f} mm lower, "
        f"boxes overlap by {1e3 * figures.max_penetration:.2f} mm."
    )
