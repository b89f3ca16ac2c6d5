"""Bodies and joints -> articulations and bodies of a scene."""

from __future__ import annotations

import copy

import numpy

import cairn

from ._actuation import Drives, limits_between
from ._couplings import Couplings
from ._frames import HERE, Place, about_x, matrix, product, unit, vector, x_to, xyzw
from ._geometry import mark
from ._inertia import inertia, sound
from ._names import Model, column, disabled, mujoco, name_of, quoted
from ._report import JointPlace, Report, unused
from ._shapes import Shapes

LEAST_MASS = 1e-9  # [1] of what it carries: of a link that shows shapes and has no mass

FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
SLIDE = int(mujoco.mjtJoint.mjJNT_SLIDE)


class Start:
    """Coordinates, rates, controls, activations and the bodies that are led, at which a scene starts."""

    def __init__(self, model: Model, key: int) -> None:
        self.q = numpy.array(model.qpos0 if key < 0 else model.key_qpos[key], float)
        self.v = numpy.zeros(model.nv) if key < 0 else numpy.array(model.key_qvel[key], float)
        self.control = numpy.zeros(model.nu) if key < 0 else numpy.array(model.key_ctrl[key], float)
        self.activation = numpy.zeros(model.na) if key < 0 else numpy.array(model.key_act[key], float)
        self.led = None if key < 0 else (model.key_mpos[key].reshape(-1, 3), model.key_mquat[key].reshape(-1, 4))


class Bodies:
    """Adds what a model is made of to a scene."""

    def __init__(
        self,
        model: Model,
        scene: cairn.Scene,
        report: Report,
        start: Start,
        drives: Drives,
        couplings: Couplings,
        marked: set[int],
    ) -> None:
        """`marked`: bodies that joints of the scene need as bodies."""
        self._model, self._scene, self._report, self._start = model, scene, report, start
        self._shapes = Shapes(model, scene, report)
        self._drives, self._couplings, self._marked = drives, couplings, marked
        self.scene_body: dict[int, int] = {}
        """By the model's body, of those that have shapes."""
        self.place: dict[int, Place] = {}
        """Of a model's body in its scene body's frame, or in the world where it is part of that."""
        self._still: dict[int, Place] = {}
        """In the world, of what no joint lets move."""
        self._names: set[str] = set()
        self._make()

    def _make(self) -> None:
        model = self._model
        for b in range(model.nbody):
            if not model.body_dofnum[model.body_weldid[b]]:
                self._add_still(b)
        roots = [b for b in range(model.nbody) if b not in self._still and int(model.body_parentid[b]) in self._still]
        for root in roots:
            tree = [root]
            for b in range(root + 1, model.nbody):
                if int(model.body_parentid[b]) in tree:
                    tree.append(b)
            if not self._add_alone(tree):
                self._add_tree(tree)
        for body, index in self.scene_body.items():
            self._report.bodies[name_of(model, "body", body)] = index

    def _unique(self, name: str) -> str:
        return unused(name, self._names)

    def _own_place(self, b: int) -> Place:
        return Place(numpy.array(self._model.body_pos[b], float), numpy.array(self._model.body_quat[b], float))

    # ---- what stands still, and what programs lead ----

    def _add_still(self, b: int) -> None:
        model = self._model
        root = int(model.body_weldid[b])
        self._still[b] = HERE if b == 0 else self._still[int(model.body_parentid[b])] @ self._own_place(b)
        led = int(model.body_mocapid[b])
        if led >= 0 and self._start.led is not None:
            self._still[b] = Place(self._start.led[0][led], unit(self._start.led[1][led]))
        if root not in (0, b):
            return  # a part of what is led
        self.place[b] = self._still[b] if root == 0 else HERE
        shapes = self._shapes.of_body(b, HERE)
        if led >= 0:
            for part in range(b + 1, model.nbody):
                if int(model.body_weldid[part]) == b:
                    self.place[part] = self.place[int(model.body_parentid[part])] @ self._own_place(part)
                    shapes += self._shapes.of_body(part, self.place[part])
            if not shapes and b in self._marked:
                shapes = [mark()]
        if not shapes:
            return
        index = self._scene.add_body(
            cairn.Body(
                name=self._unique("ground" if b == 0 else name_of(model, "body", b)),
                type="kinematic" if led >= 0 else "static",
                position=vector(self._still[b].position),
                orientation=xyzw(self._still[b].turn),
                shapes=shapes,
            )
        )
        for part in [b, *(p for p in range(b + 1, model.nbody) if led >= 0 and int(model.body_weldid[p]) == b)]:
            self.scene_body[part] = index

    # ---- a body that is alone and floats ----

    def _add_alone(self, tree: list[int]) -> bool:
        """As a body of the scene, if it has nothing that only an articulation has."""
        model, b = self._model, tree[0]
        j = int(model.body_jntadr[b])
        if len(tree) > 1 or int(model.body_jntnum[b]) != 1 or int(model.jnt_type[j]) != FREE:
            return False
        d = slice(int(model.jnt_dofadr[j]), int(model.jnt_dofadr[j]) + 6)
        if numpy.any(model.dof_damping[d]) or numpy.any(model.dof_armature[d]) or not model.body_geomnum[b]:
            return False
        shapes = self._shapes.of_body(b, HERE)
        if not shapes:
            return False
        self._note_free(j)
        at, v = int(model.jnt_qposadr[j]), self._start.v[d]
        q = self._start.q[at : at + 7]
        turn = unit(q[3:])
        spin = matrix(turn) @ v[3:]
        mass = float(model.body_mass[b])
        self.scene_body[b] = self._scene.add_body(
            cairn.Body(
                name=self._unique(name_of(model, "body", b)),
                type="dynamic",
                position=vector(q[:3]),
                orientation=xyzw(turn),
                # the model's is that of the body's origin
                linear_velocity=vector(v[:3] + numpy.cross(spin, matrix(turn) @ model.body_ipos[b])),
                angular_velocity=vector(spin),
                shapes=shapes,
                mass=mass,
                inertia=self._inertia(b),
                centre_of_mass=vector(model.body_ipos[b]),
            )
        )
        self.place[b] = HERE
        return True

    def _note_free(self, j: int) -> None:
        model = self._model
        d = int(model.jnt_dofadr[j])
        if numpy.any(model.dof_frictionloss[d : d + 6]):
            self._report.drop("friction of a free joint", quoted(model, "joint", j))
        if float(numpy.max(model.jnt_stiffness[j])) > 0:
            self._report.drop("spring of a free joint", quoted(model, "joint", j))

    # ---- trees ----

    def _add_tree(self, tree: list[int]) -> None:
        model = self._model
        name = self._unique(name_of(model, "body", tree[0]))
        links: list[cairn.ArticulationLink] = []
        last: dict[int, int] = {}  # link of a body
        taken = {name_of(model, "body", b) for b in tree}  # bodies keep their names
        start, target = cairn.ArticulationState(), cairn.ArticulationState()
        for b in tree:
            parent = int(model.body_parentid[b])
            on, place = last.get(parent, cairn.WORLD_LINK), self._own_place(b)
            if on == cairn.WORLD_LINK:
                place = self._still[parent] @ place
                if int(model.body_weldid[parent]) != 0:
                    self._report.approximate(
                        "what hangs from a body that is led stays where that starts", quoted(model, "body", b)
                    )
            end = int(model.body_jntadr[b]) + int(model.body_jntnum[b])
            for j in range(int(model.body_jntadr[b]), end):
                at = JointPlace(name, len(links), len(start.q), len(start.v))
                self._report.joints[name_of(model, "joint", j)] = at
                named = name_of(model, "body", b)
                if j < end - 1:
                    named = unused(f"{named}:{name_of(model, 'joint', j)}", taken)
                links.append(self._link_of_joint(named, on, place, j))
                self._take_start(j, start)
                self._drives.of_joint(j, links[-1].joint, at, start, target)
                on, place = len(links) - 1, HERE
            if end == int(model.body_jntadr[b]):
                links.append(
                    cairn.ArticulationLink(
                        name=name_of(model, "body", b), parent=on, frame_in_parent=place.joint_frame()
                    )
                )
                on = len(links) - 1
            last[b] = on
            self._give_mass(links[on], b)
        shown = self._give_shapes(tree, last, links)
        self._give_least_masses(name, tree, last, links, start)
        couplings = self._couplings.of_tree(name, links, target)
        # a World begins with those of the start, at rest
        if target.q != start.q or any(target.v):
            self._report.targets[name] = target
        index = self._scene.add_articulation(
            cairn.Articulation(name=name, links=links, gravity=self._scene.gravity(), couplings=couplings), start
        )
        bodies = self._scene.articulations()[index].bodies
        for b in tree:
            owner, self.place[b] = shown[b]
            if links[last[owner]].shapes:
                self.scene_body[b] = int(bodies[last[owner]])
        self._ignore_leader(tree)

    def _ignore_leader(self, tree: list[int]) -> None:
        """What hangs from a body that is led doesn't touch it."""
        model, root = self._model, tree[0]
        leader = int(model.body_weldid[model.body_parentid[root]])
        if leader == 0 or leader not in self.scene_body:
            return
        hangs = {self.scene_body[b] for b in tree if int(model.body_weldid[b]) == root and b in self.scene_body}
        for body in sorted(hangs):
            self._scene.ignore(self.scene_body[leader], body)

    def _link_of_joint(self, name: str, on: int, place: Place, j: int) -> cairn.ArticulationLink:
        """A link without mass: its frame is the body's, moved by this joint and those before it."""
        model = self._model
        kind, d = int(model.jnt_type[j]), int(model.jnt_dofadr[j])
        joint = cairn.ArticulationJoint("free")
        # coordinates of a free joint are the body's place in the world
        in_parent = in_link = HERE
        if kind == BALL:
            joint.kind = cairn.ArticulationJointKind.BALL
            in_link = Place(numpy.array(model.jnt_pos[j], float), HERE.turn)
            in_parent = place @ in_link
        elif kind != FREE:
            joint.kind = cairn.ArticulationJointKind("prismatic" if kind == SLIDE else "revolute")
            in_link = Place(numpy.array(model.jnt_pos[j], float), x_to(numpy.array(model.jnt_axis[j], float)))
            in_parent = place @ in_link
            # the model's coordinates are at ref where the frames coincide
            ref = float(model.qpos0[model.jnt_qposadr[j]])
            if kind == SLIDE:
                in_link = in_link @ Place(numpy.array([ref, 0.0, 0.0]), HERE.turn)
            else:
                in_link = Place(in_link.position, product(in_link.turn, about_x(ref)))
        joint.armature = float(model.dof_armature[d])
        if not disabled(model, "damper"):
            joint.damping = float(model.dof_damping[d])
            if numpy.any(column(model, "dof_dampingpoly", d)):
                self._report.drop("damping beyond linear", quoted(model, "joint", j))
        if kind == FREE:
            self._note_free(j)
        elif not disabled(model, "frictionloss"):
            joint.friction = float(model.dof_frictionloss[d])
        if model.jnt_limited[j] and not disabled(model, "limit"):
            if kind == BALL:
                self._report.drop("limit of a ball joint", quoted(model, "joint", j))
            elif kind != FREE:
                joint.lower, joint.upper = limits_between(model.jnt_range[j])
        if float(model.jnt_margin[j]) != 0:
            self._report.drop("margin of limits", quoted(model, "joint", j))
        return cairn.ArticulationLink(
            name=name,
            parent=on,
            frame_in_parent=in_parent.joint_frame(),
            frame_in_link=in_link.joint_frame(),
            joint=joint,
        )

    def _take_start(self, j: int, start: cairn.ArticulationState) -> None:
        model = self._model
        kind = int(model.jnt_type[j])
        at, d = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
        if kind in (FREE, BALL):
            first = at + (3 if kind == FREE else 0)
            start.q += [float(x) for x in self._start.q[at:first]]
            start.q += xyzw(unit(self._start.q[first : first + 4]))
        else:
            start.q.append(float(self._start.q[at]))
        count = {FREE: 6, BALL: 3}.get(kind, 1)
        start.v += [float(x) for x in self._start.v[d : d + count]]

    # ---- masses ----

    def _give_mass(self, link: cairn.ArticulationLink, b: int) -> None:
        model = self._model
        if float(model.body_mass[b]) <= 0:
            return
        link.mass = float(model.body_mass[b])
        link.centre_of_mass = vector(model.body_ipos[b])
        link.inertia = self._inertia(b)

    def _inertia(self, b: int) -> cairn.Inertia:
        """Along the body's axes, of the model's principal moments."""
        model = self._model
        moments, same = sound(numpy.array(model.body_inertia[b], float))
        if not same:
            self._report.approximate(
                "inertias that no body can have are the next that one can", quoted(model, "body", b)
            )
        turn = matrix(numpy.array(model.body_iquat[b], float))
        return inertia(turn @ numpy.diag(moments) @ turn.T)

    # ---- shapes ----

    def _give_shapes(
        self, tree: list[int], last: dict[int, int], links: list[cairn.ArticulationLink]
    ) -> dict[int, tuple[int, Place]]:
        """To links. Returns which body of the model shows each, and where it is on that."""
        model = self._model
        shown: dict[int, tuple[int, Place]] = {}
        for b in tree:
            shown[b] = (b, HERE)
            link = links[last[b]]
            if link.mass == 0 and not model.body_jntnum[b]:
                # a link needs a mass to have shapes: what is fixed to another is part of it
                owner, place = shown[int(model.body_parentid[b])]
                shown[b] = (owner, place @ self._own_place(b))
            owner, place = shown[b]
            shapes = self._shapes.of_body(b, place)
            if not shapes and b in self._marked and not links[last[owner]].shapes:
                shapes = [mark()]
                self._report.approximate(
                    "a ball that touches nothing is where a joint holds a body without geoms", quoted(model, "body", b)
                )
            links[last[owner]].shapes += shapes
        if not any(link.shapes for link in links):
            heavy = [b for b in tree if links[last[b]].mass > 0]
            links[last[heavy[-1]]].shapes = [mark()]
            self._report.approximate(
                "a ball that touches nothing is where a robot has no geoms", quoted(model, "body", heavy[-1])
            )
        return shown

    def _give_least_masses(
        self,
        name: str,
        tree: list[int],
        last: dict[int, int],
        links: list[cairn.ArticulationLink],
        start: cairn.ArticulationState,
    ) -> None:
        """To links that show shapes and have none, once what they carry is known to move them."""
        model = self._model
        light = [b for b in tree if links[last[b]].shapes and links[last[b]].mass == 0]
        if not light:
            return
        bare = [copy.copy(link) for link in links]
        for link in bare:
            link.shapes = [mark()] if link.mass > 0 else []
        cairn.Scene().add_articulation(cairn.Articulation(name=name, links=bare), start)
        for b in light:
            link = links[last[b]]
            link.mass = LEAST_MASS * float(model.body_subtreemass[b])
            moment = link.mass * 1e-4
            link.inertia = cairn.Inertia((moment, moment, moment))
            self._report.approximate("geoms on a body without mass need a little", quoted(model, "body", b))
