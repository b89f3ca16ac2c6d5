"""Trajectories: what a World does over time, in a file for analysis or for other programs to draw.

    import cairn
    from cairn import trajectory

    world = cairn.World(scene)
    with trajectory.Writer(world, "out.h5", every=4, scene=scene) as out:
        out.record()
        for _ in range(600):
            world.step()
            out.record()

The file's ending names the format: .h5, .npz, .vtkhdf, .usda, .usdc, .usd, .glb or .rrd. On the command line:
python -m cairn.trajectory SCENE.json FILE --steps 600 --every 4. docs/trajectories.md has what each format carries.
"""

from ._writer import ENDINGS as ENDINGS
from ._writer import Writer as Writer

__all__ = ["ENDINGS", "Writer"]
