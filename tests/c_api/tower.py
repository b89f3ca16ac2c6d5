#!/usr/bin/env python3
"""A tower by the C interface from Python, with nothing but ctypes: what a binding for another language would do.

tower.py LIBRARY    exits with 1 where a figure is wrong
"""
import ctypes
import sys

SCENE = b"""{
  "cairn": 1,
  "materials": [{"name": "stone", "density": 1000}],
  "bodies": [
    {"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1], "offset": 0}, "material": "stone"}]},
    %s
  ]
}"""
BOX = b'{"name": "box%d", "type": "dynamic", "position": [0, 0, %f], ' \
      b'"shapes": [{"box": {"half_extents": [0.5, 0.5, 0.5]}, "material": "stone"}]}'
HEIGHT, WORLDS, STEPS = 5, 3, 120


class Array(ctypes.Structure):
    """cairn_array"""
    _fields_ = [("struct_size", ctypes.c_uint32), ("element", ctypes.c_int32), ("name", ctypes.c_char_p),
                ("unit", ctypes.c_char_p), ("data", ctypes.c_void_p), ("rank", ctypes.c_int32),
                ("cuda_device", ctypes.c_int32), ("writable", ctypes.c_int32), ("reserved", ctypes.c_int32),
                ("shape", ctypes.c_int64 * 3), ("strides", ctypes.c_int64 * 3)]


class State(ctypes.Structure):
    """cairn_state"""
    _fields_ = [("position", ctypes.c_double * 3), ("orientation", ctypes.c_float * 4),
                ("linear_velocity", ctypes.c_float * 3), ("angular_velocity", ctypes.c_float * 3)]


def main():
    cairn = ctypes.CDLL(sys.argv[1])
    cairn.cairn_last_error.restype = ctypes.c_char_p

    def call(name, *arguments):
        if getattr(cairn, name)(*arguments) != 0:
            raise RuntimeError(f"{name}: {cairn.cairn_last_error().decode()}")

    def expect(condition, what):
        if not condition:
            raise AssertionError(what)

    text = SCENE % b",".join(BOX % (i, 0.5 + i) for i in range(HEIGHT))
    scene, world = ctypes.c_void_p(), ctypes.c_void_p()
    call("cairn_scene_parse", text, ctypes.c_size_t(len(text)), b"tower.py", ctypes.byref(scene))
    call("cairn_world_create_copies", scene, WORLDS, None, ctypes.byref(world))
    cairn.cairn_scene_destroy(scene)
    call("cairn_world_step", world, STEPS)

    states = (State * (WORLDS * (HEIGHT + 1)))()
    call("cairn_world_read_states", world, ctypes.c_uint32(0xffffffff), states, ctypes.c_size_t(len(states)))
    # soft contacts sink by less than a millimetre each
    for i in range(HEIGHT):
        expect(abs(states[1 + i].position[2] - 0.5 - i) < 1e-3 * (i + 1), f"box {i} is at {states[1 + i].position[2]}")

    # the same from the world's own array: rows are slots, floats of the centre of mass
    array = Array(struct_size=ctypes.sizeof(Array))
    call("cairn_world_array", world, b"position", ctypes.byref(array))
    expect((array.unit, array.cuda_device, array.rank, tuple(array.shape)[:2]) == (b"m", -1, 2, (len(states), 3)),
           "the array says something else")
    floats = ctypes.cast(array.data, ctypes.POINTER(ctypes.c_float))
    for i, state in enumerate(states):
        expect(abs(floats[i * array.strides[0] + 2] - state.position[2]) < 1e-6, f"row {i} of the array differs")

    # a snapshot as bytes, of which another world is made: it goes on with the same bits
    snapshot, size, other = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
    call("cairn_world_snapshot", world, ctypes.c_uint32(0xffffffff), ctypes.byref(snapshot))
    call("cairn_snapshot_to_bytes", snapshot, None, ctypes.c_size_t(0), ctypes.byref(size))
    kept = ctypes.create_string_buffer(size.value)
    call("cairn_snapshot_to_bytes", snapshot, kept, size, ctypes.byref(size))
    cairn.cairn_snapshot_destroy(snapshot)
    call("cairn_snapshot_from_bytes", kept, size, b"tower.py", ctypes.c_uint64(0), ctypes.byref(snapshot))
    call("cairn_world_create_from", snapshot, None, ctypes.byref(other))
    cairn.cairn_snapshot_destroy(snapshot)
    hashes = [ctypes.c_uint64(), ctypes.c_uint64()]
    for each, digest in zip((world, other), hashes):
        call("cairn_world_step", each, 10)
        call("cairn_world_state_hash", each, ctypes.byref(digest))
    expect(hashes[0].value == hashes[1].value != 0, "the world that was made of the snapshot goes on otherwise")
    cairn.cairn_world_destroy(other)

    # a mistake is told, and does no harm
    result = cairn.cairn_world_array(world, b"mass", ctypes.byref(array))
    expect(result == 1 and b'"mass"' in cairn.cairn_last_error(), "a wrong name isn't told")

    # the array as a tensor of DLPack, which may outlive the world
    tensor = ctypes.c_void_p()
    call("cairn_world_array_dlpack", world, b"position", ctypes.byref(tensor))
    cairn.cairn_world_destroy(world)
    major, deleter, data = (ctypes.c_uint32.from_address(tensor.value).value,
                            ctypes.c_void_p.from_address(tensor.value + 16).value,
                            ctypes.c_void_p.from_address(tensor.value + 32).value)
    expect(major == 1, "DLPack's major version")
    top = ctypes.cast(data, ctypes.POINTER(ctypes.c_float))[3 * HEIGHT + 2]
    expect(abs(top - (HEIGHT - 0.5)) < 0.01, f"the top box is at {top} in the tensor")
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(tensor)
    print(f"{WORLDS} towers of {HEIGHT} boxes from Python: the top one is at {states[HEIGHT].position[2]:.4f} m")


if __name__ == "__main__":
    main()
