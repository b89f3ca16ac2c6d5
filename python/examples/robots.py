# %% [markdown]
# # A hundred arms
# Robots in reduced coordinates hold themselves up: each gets the forces that inverse dynamics says for what a PD
# controller wants.

# %%
import numpy as np

import cairn

links = [
    cairn.ArticulationLink(
        name=f"link{i}",
        parent=cairn.WORLD_LINK if i == 0 else i - 1,
        joint=cairn.ArticulationJoint(kind="revolute"),
        frame_in_parent=cairn.JointFrame((0, 0, 0 if i == 0 else 0.4)),
        mass=2,
        centre_of_mass=(0, 0, 0.2),
        inertia=cairn.Inertia((0.03, 0.03, 0.005)),
    )
    for i in range(3)
]

# %% [markdown]
# `Articulations` computes all of them side by side, without a World: a row of each array is an arm.

# %%
arms = cairn.Articulations(cairn.Articulation(name="arm", links=links), 100, "cpu")
wanted = np.linspace(-1, 1, 300).reshape(100, 3)  # [rad] joints about x, another pose for each arm
arms.set_state(np.zeros_like(wanted), np.zeros_like(wanted))
for _ in range(200):  # 2 s
    q, v = arms.positions(), arms.rates()
    arms.set_forces(arms.inverse_dynamics(100 * (wanted - q) - 20 * v))
    arms.step(0.01, substeps=4)
print(f"The arms are within {np.abs(arms.positions() - wanted).max():.4f} rad of where they should be.")
