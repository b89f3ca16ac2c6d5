"""Turns and places, in double precision. Quaternions are w, x, y, z here, as in the model."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

import cairn

Numbers = Any  # numpy arrays of float64
SHORT = 1e-15  # [1] a quaternion below it has no direction: mjMINVAL


def product(a: Numbers, b: Numbers) -> Numbers:
    """a b"""
    return numpy.array(
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    )


def matrix(q: Numbers) -> Numbers:
    """(3, 3) of a unit quaternion."""
    w, x, y, z = q
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turn_of(rotation: Numbers) -> Numbers:
    """The unit quaternion of a rotation matrix, (3, 3)."""
    m = rotation
    # each row is 4 times the quaternion times one of its parts: the one of the largest part is exact
    rows = numpy.array(
        [
            [1 + m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], 1 + m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], 1 - m[0, 0] + m[1, 1] - m[2, 2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], 1 - m[0, 0] - m[1, 1] + m[2, 2]],
        ]
    )
    return unit(rows[int(numpy.argmax(numpy.diag(rows)))])


def unit(q: Numbers) -> Numbers:
    """Of length 1; no turn where there is none to tell, as the model's own program takes it."""
    length = float(numpy.linalg.norm(q))
    return numpy.array(q, float) / length if length >= SHORT else numpy.array([1.0, 0.0, 0.0, 0.0])


def x_to(axis: Numbers) -> Numbers:
    """Turns x to a unit vector, the short way."""
    x, y, z = axis
    if x < -1 + 1e-12:
        return numpy.array([0.0, 0.0, 0.0, 1.0])
    q = numpy.array([1 + x, 0.0, -z, y])
    return q / numpy.linalg.norm(q)


def about_x(angle: float) -> Numbers:
    return numpy.array([numpy.cos(angle / 2), numpy.sin(angle / 2), 0.0, 0.0])


def xyzw(q: Numbers) -> cairn.Quat:
    w, x, y, z = (float(c) for c in q)
    return x, y, z, w


def vector(v: Numbers) -> cairn.Vec3:
    x, y, z = (float(c) for c in v)
    return x, y, z


class Place(NamedTuple):
    """Of a frame in another."""

    position: Numbers
    turn: Numbers

    def __matmul__(self, other: Place) -> Place:
        """Of a frame in that frame, in this one's."""
        return Place(self.position + matrix(self.turn) @ other.position, product(self.turn, other.turn))

    def inverse(self) -> Place:
        back = self.turn * numpy.array([1, -1, -1, -1])
        return Place(-(matrix(back) @ self.position), back)

    def joint_frame(self) -> cairn.JointFrame:
        return cairn.JointFrame(vector(self.position), xyzw(self.turn))


HERE = Place(numpy.zeros(3), numpy.array([1.0, 0.0, 0.0, 0.0]))
