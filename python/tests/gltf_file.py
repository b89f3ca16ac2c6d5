"""Binary glTF as Khronos' specification has it."""

import json
import struct

import numpy


class Gltf:
    """A .glb file; reading it checks what Khronos' rules say of chunks, views and accessors."""

    def __init__(self, path):
        content = path.read_bytes()
        magic, version, size = struct.unpack_from("<4sII", content)
        assert (magic, version, size) == (b"glTF", 2, len(content))
        length, kind = struct.unpack_from("<I4s", content, 12)
        assert kind == b"JSON" and length % 4 == 0
        self.json = json.loads(content[20 : 20 + length])
        self.binary = b""
        if 20 + length < size:
            binary, kind = struct.unpack_from("<I4s", content, 20 + length)
            assert kind == b"BIN\0" and binary % 4 == 0 and 28 + length + binary == size
            self.binary = content[28 + length :]
            assert self.json["buffers"] == [{"byteLength": binary}]
        for index in range(len(self.json.get("accessors", []))):
            self.array(index)

    def array(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        of = numpy.dtype({5126: "<f4", 5125: "<u4"}[accessor["componentType"]])
        assert view["byteOffset"] % of.itemsize == 0 and view["byteOffset"] + view["byteLength"] <= len(self.binary)
        assert accessor["count"] * width * of.itemsize == view["byteLength"] and accessor["count"] >= 1
        array = numpy.frombuffer(self.binary, of, accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
        assert numpy.isfinite(array).all()
        if "min" in accessor:
            assert accessor["min"] == array.min(0).tolist() and accessor["max"] == array.max(0).tolist()
        return array

    def animated(self, name):
        """(frames, ...) by path, of a node that is animated or stays."""
        index = [node.get("name") for node in self.json["nodes"]].index(name)
        node, out = self.json["nodes"][index], {}
        (animation,) = self.json["animations"]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            assert "min" in self.json["accessors"][sampler["input"]]
            if channel["target"]["node"] == index:
                frames = len(self.array(sampler["input"]))
                out[channel["target"]["path"]] = self.array(sampler["output"]).reshape(frames, -1)
        rest = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}
        return node, {path: numpy.array([node.get(path, at)] * 6, numpy.float32) for path, at in rest.items()} | out
