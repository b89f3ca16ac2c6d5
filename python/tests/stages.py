"""Stages of USD that tests of cairn.convert are about, put together by pxr."""

import math

import numpy
from pxr import Gf, Usd, UsdGeom, UsdPhysics

import cairn
from cairn import convert
from cairn.convert._frames import Place


def stage(metre: float = 1.0, kilogram: float = 1.0, up: str = "Z"):
    """In memory, with a PhysicsScene."""
    made = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageMetersPerUnit(made, metre)
    UsdPhysics.SetStageKilogramsPerUnit(made, kilogram)
    UsdGeom.SetStageUpAxis(made, up)
    UsdPhysics.Scene.Define(made, "/physics")
    return made


def place_at(prim, place: Place, scale=None) -> None:
    """Gives a prim a transform: `place` in units of the stage."""
    form = UsdGeom.Xformable(prim)
    form.AddTranslateOp().Set(Gf.Vec3d(*map(float, place.position)))
    form.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Quatd(*map(float, place.turn)))
    if scale is not None:
        form.AddScaleOp().Set(Gf.Vec3f(*scale))


def place(position=(0, 0, 0), axis=(0, 0, 1), degrees: float = 0) -> Place:
    half = math.radians(degrees) / 2
    turn = numpy.array([math.cos(half), *(math.sin(half) * numpy.array(axis) / numpy.linalg.norm(axis))])
    return Place(numpy.array(position, float), turn)


def collider(made, path: str, kind: str = "Cube", at: Place | None = None, scale=None, **attributes):
    """A gprim with CollisionAPI, which touches nothing where `touches` is False."""
    prim = made.DefinePrim(path, kind)
    if at is not None or scale is not None:
        place_at(prim, at or place(), scale)
    collision = UsdPhysics.CollisionAPI.Apply(prim)
    if not attributes.pop("touches", True):
        collision.CreateCollisionEnabledAttr(False)
    for name, value in attributes.items():
        prim.GetAttribute(name).Set(value)
    return prim


def body(made, path: str, at: Place | None = None, mass: float = 1.0, moments=(0.1, 0.2, 0.25), centre=(0, 0, 0)):
    """With mass properties of its own, and a ball that touches nothing."""
    prim = made.DefinePrim(path, "Xform")
    place_at(prim, at or place())
    UsdPhysics.RigidBodyAPI.Apply(prim)
    api = UsdPhysics.MassAPI.Apply(prim)
    api.CreateMassAttr(mass)
    api.CreateDiagonalInertiaAttr(Gf.Vec3f(*moments))
    api.CreateCenterOfMassAttr(Gf.Vec3f(*centre))
    collider(made, f"{path}/ball", "Sphere", radius=0.05, touches=False)
    return prim


def joint(made, kind: str, path: str, one, two, frames: tuple[Place, Place], **attributes):
    """Of a kind of UsdPhysics, such as "RevoluteJoint", between two prims or None, the world."""
    of = getattr(UsdPhysics, kind).Define(made, path)
    for side, (prim, frame) in enumerate(zip((one, two), frames, strict=True)):
        if prim is not None:
            getattr(of, f"CreateBody{side}Rel")().SetTargets([prim.GetPath()])
        getattr(of, f"CreateLocalPos{side}Attr")(Gf.Vec3f(*map(float, frame.position)))
        getattr(of, f"CreateLocalRot{side}Attr")(Gf.Quatf(*map(float, frame.turn)))
    for name, value in attributes.items():
        getattr(of, f"Create{name[0].upper()}{name[1:]}Attr")(value)
    return of


def drive(of, axis: str, **attributes) -> None:
    api = UsdPhysics.DriveAPI.Apply(of.GetPrim(), axis)
    for name, value in attributes.items():
        getattr(api, f"Create{name[0].upper()}{name[1:]}Attr")(value)


def limit(of, axis: str, low: float, high: float) -> None:
    api = UsdPhysics.LimitAPI.Apply(of.GetPrim(), axis)
    api.CreateLowAttr(low)
    api.CreateHighAttr(high)


def world_of(scene: cairn.Scene, report: convert.Report | None = None) -> cairn.World:
    """On one thread, with its drives on their targets."""
    world = cairn.World(scene, cairn.WorldOptions(device=cairn.Device(threads=1)))
    if report is not None:
        report.start(world)
    return world
