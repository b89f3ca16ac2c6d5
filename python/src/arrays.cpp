// A World's own arrays and those of its sensors, as views that know when they went stale, and calls by arrays.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {
namespace {

nb::dlpack::dtype dtype_of(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return nb::dtype<std::uint8_t>();
    case ElementType::kUint32:
      return nb::dtype<std::uint32_t>();
    case ElementType::kUint64:
      return nb::dtype<std::uint64_t>();
    case ElementType::kFloat32:
      return nb::dtype<float>();
    case ElementType::kFloat64:
      return nb::dtype<double>();
  }
  throw Error("an array of an unknown type");
}

/// What is handed to other libraries holds the memory (DeviceArrays::keep), not the World: it may be read after a World
/// grew or ended, and then is of what was.
template <class... Tags>
nb::object exported(const ArrayView& view, std::shared_ptr<const void> keep) {
  auto* const held = new std::shared_ptr<const void>(std::move(keep));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::shared_ptr<const void>*>(p); });
  std::array<std::size_t, 3> shape{};
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = static_cast<std::size_t>(view.shape[i]);
  const bool cuda = view.device.kind == Device::Kind::kCuda;
  return nb::cast(nb::ndarray<Tags...>(view.data, static_cast<std::size_t>(view.rank), shape.data(), owner,
                                       view.strides.data(), dtype_of(view.type),
                                       cuda ? nb::device::cuda::value : nb::device::cpu::value, view.device.index));
}
template <class... Tags>
nb::object exported_as(const ArrayView& view, const World& of) {
  return view.writable ? exported<Tags...>(view, of.arrays().keep())
                       : exported<Tags..., nb::ro>(view, of.arrays().keep());
}

class PyArray {
 public:
  /// Of a World's own, or of its Sensors, whose arrays stay where they are.
  PyArray(nb::object world, const NamedArray& of, nb::object sensors = nb::none())
      : world_(std::move(world)),
        sensors_(std::move(sensors)),
        edits_(owner().edits()),
        name_(of.name),
        unit_(of.unit),
        rows_(of.rows),
        meaning_(of.meaning) {}

  PyWorld& owner() const { return nb::cast<PyWorld&>(world_); }
  const World& world() const {
    PyWorld& of = owner();
    const World& world = of.use();
    if (moved()) {
      throw Error("array \"" + name_ +
                  "\": the view is stale: bodies or the like came or went since it was taken. Take it "
                  "again from world.arrays");
    }
    return world;
  }
  /// Asked for again, since steps move what has rows of pairs.
  ArrayView view() const {
    const World& of = world();
    return sensors_.is_none() ? of.arrays().get(name_) : nb::cast<OfWorld<Sensors>&>(sensors_).use().get(name_);
  }
  bool stale() const { return owner().closed() || moved(); }

  nb::object numpy() const {
    const World& of = world();
    const ArrayView seen = view();
    if (seen.device.kind == Device::Kind::kCuda)
      throw nb::type_error(("array \"" + name_ + "\" lies on " + seen.device.name() +
                            ": numpy can't see it; torch.from_dlpack or jax.dlpack.from_dlpack can")
                               .c_str());
    return exported_as<nb::numpy>(seen, of);
  }

  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  const std::string& rows() const { return rows_; }
  const std::string& meaning() const { return meaning_; }

 private:
  bool moved() const { return sensors_.is_none() && owner().edits() != edits_; }

  nb::object world_, sensors_;
  std::uint64_t edits_;
  std::string name_, unit_, rows_, meaning_;
};

nb::object shape_of(const ArrayView& view) {
  nb::list shape;
  for (int i = 0; i < view.rank; ++i) shape.append(view.shape[static_cast<std::size_t>(i)]);
  return nb::tuple(shape);
}

/// The consumer takes tensors of DLPack 1, which say whether they may be written.
bool of_dlpack_1(const nb::kwargs& asked) {
  if (!asked.contains("max_version")) return false;
  const nb::object version = asked["max_version"];
  return !version.is_none() && to_cpp<std::array<int, 2>>(version, {.name = "max_version"})[0] >= 1;
}

/// A consumer's stream, as DLPack gives it, goes on after what the World has enqueued.
void follow(const PyWorld& owner, nb::handle stream) {
  const Place place{.name = "stream"};
  // -1: the consumer looks after that
  const std::int64_t number = stream.is_none() ? 1 : to_cpp<std::int64_t>(stream, place);
  const bool cuda = owner.use().device().kind == Device::Kind::kCuda;
  if (cuda && (number < -1 || number == 0)) out_of_range(place, "a cudaStream_t as a number from 1, or -1", stream);
  if (number == -1) return;
  owner.run([&](const World& w) {
    if (!cuda) return w.wait();
    w.arrays().stream_waits(reinterpret_cast<void*>(static_cast<std::uintptr_t>(number)));
  });
}

nb::tuple device_of(const Device& device) {
  return device.kind == Device::Kind::kCuda ? nb::make_tuple(nb::device::cuda::value, device.index)
                                            : nb::make_tuple(nb::device::cpu::value, 0);
}

/// A byte a world on the World's device, or none for all worlds. It is read before the World is entered, and checked
/// there.
class Mask {
 public:
  Mask(const Mask&) = delete;
  Mask(nb::handle from, ArraysGiven& given) : from_(from) {
    const Place place{.name = "mask", .arrays = &given};
    if (from.is_none()) return;
    if (PyList_Check(from.ptr()) || PyTuple_Check(from.ptr())) {
      const nb::object list = items(from, place);
      for (const nb::handle item : nb::borrow<nb::list>(list)) own_.push_back(is_true(item));
      view_ = {.data = own_.data(),
               .type = ElementType::kUint8,
               .rank = 1,
               .shape = {static_cast<std::int64_t>(own_.size())},
               .strides = {1}};
      return;
    }
    view_ = array(from, place);
    if (view_.type != ElementType::kUint8 || view_.rank != 1 || (view_.strides[0] != 1 && view_.shape[0] > 1))
      refuse(place, "a dense array of bool or uint8, one a world", from);
  }
  const std::uint8_t* of(const World& world) const {
    if (from_.is_none()) return nullptr;
    const Place place{.name = "mask"};
    const Device& device = world.device();
    if (view_.device.kind != device.kind || view_.device.index != device.index)
      refuse(place, "an array on " + device.name(), from_);
    if (view_.shape[0] != static_cast<std::int64_t>(world.world_count()))
      out_of_range(place, std::to_string(world.world_count()) + " values, one a world", from_);
    return static_cast<const std::uint8_t*>(view_.data);
  }

 private:
  nb::handle from_;
  std::vector<std::uint8_t> own_;
  ArrayView view_;
};

/// The arrays of a World, by name.
struct PyArrays {
  nb::object world;
  PyWorld& owner() const { return nb::cast<PyWorld&>(world); }
  DeviceArrays& arrays() const { return owner().use().arrays(); }
  /// Calls f(DeviceArrays&, mask) without the interpreter's lock.
  template <class F>
  void run(const ArraysGiven& given, const Mask& mask, F f) const {
    const std::uint8_t* chosen = mask.of(owner().use());
    owner().run_by(given, [&](World& w) { f(w.arrays(), chosen); });
  }
  /// The same of a call that has no arrays but a mask.
  template <class F>
  void run(nb::handle mask, F f) const {
    ArraysGiven given = owner().arrays();
    run(given, Mask(mask, given), f);
  }
};

/// A call of DeviceArrays that takes arrays and a mask.
template <class A, class F>
auto by_arrays(F f) {
  return unnamed<2>([f](const Names<2>& names) {
    return [f, names](PyArrays& self, Given<A> given, nb::handle mask_given) {
      ArraysGiven keep = self.owner().arrays();
      const A arrays = given.get(names[0], keep);
      const Mask mask(mask_given, keep);
      self.run(keep, mask, [&](DeviceArrays& of, const std::uint8_t* chosen) { (of.*f)(arrays, chosen); });
    };
  });
}

template <class A>
using Get = void (DeviceArrays::*)(const A&, const std::uint8_t*) const;
template <class A>
using Set = void (DeviceArrays::*)(const A&, const std::uint8_t*);

}  // namespace

nb::object arrays_of(nb::object world) {
  nb::cast<PyWorld&>(world).use();
  return nb::cast(PyArrays{std::move(world)});
}

nb::object array_of(nb::object world, const NamedArray& of, nb::object sensors) {
  return nb::cast(PyArray(std::move(world), of, std::move(sensors)));
}

void bind_arrays(nb::module_& m) {
  nb::class_<PyArray>(
      m, "Array",
      "A view of one of a World's arrays, where it lies. It raises RuntimeError once bodies, joints or the "
      "like were added or removed, a snapshot was restored or the World was closed; one of Sensors in the last case "
      "alone. What numpy or another library makes of it shares its memory, and may outlive the World.")
      .def_prop_ro("name", &PyArray::name)
      .def_prop_ro("unit", &PyArray::unit, "\"1\" for a number without one.")
      .def_prop_ro("rows", &PyArray::rows, "What has a row: slots, bodies, worlds, pairs, ...")
      .def_prop_ro("meaning", &PyArray::meaning)
      .def_prop_ro("stale", &PyArray::stale, "Every use but this and what describes it raises.")
      .def_prop_ro(
          "shape", [](const PyArray& a) { return shape_of(a.view()); }, nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro("ndim", [](const PyArray& a) { return a.view().rank; })
      .def_prop_ro(
          "dtype",
          [](const PyArray& a) {
            return nb::module_::import_("numpy").attr("dtype")(std::string(element_name(a.view().type)));
          },
          nb::sig("def dtype(self) -> numpy.dtype[typing.Any]"))
      .def_prop_ro(
          "writable", [](const PyArray& a) { return a.view().writable; },
          "Whether a program may write it; DeviceArrays.written tells the World of it.")
      .def_prop_ro(
          "device", [](const PyArray& a) { return a.view().device.name(); }, "\"cpu\" or \"cuda:i\".")
      .def("__len__", [](const PyArray& a) { return a.view().shape[0]; })
      .def("numpy", &PyArray::numpy, nb::sig("def numpy(self) -> numpy.typing.NDArray[typing.Any]"),
           "A numpy array of the same memory; raises TypeError for one on a CUDA device.")
      .def(
          "__array__",
          [](const PyArray& a, nb::object dtype, nb::object copy) {
            nb::object made = a.numpy();
            if (!dtype.is_none() && !made.attr("dtype").equal(dtype)) {
              if (copy.is(Py_False)) throw nb::value_error("an array of another dtype is a copy");
              return nb::object(made.attr("astype")(dtype));
            }
            return copy.is(Py_True) ? nb::object(made.attr("copy")()) : made;
          },
          nb::arg("dtype").none() = nb::none(), nb::arg("copy").none() = nb::none(),
          // not numpy.ndarray: in the stub the name of the member numpy stands for the module
          nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> typing.Any"))
      .def(
          "__dlpack_device__", [](const PyArray& a) { return device_of(a.view().device); },
          nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
      .def(
          "__dlpack__",
          [](const PyArray& a, nb::object stream, nb::kwargs other) {
            const bool tells_read_only = of_dlpack_1(other);
            const World& of = a.world();
            const ArrayView seen = a.view();
            follow(a.owner(), stream);
            if (!seen.writable && !tells_read_only)
              throw nb::buffer_error(
                  ("array \"" + a.name() + "\" is read-only, which DLPack before 1.0 can't say").c_str());
            nb::object tensor = exported_as<nb::array_api>(seen, of);
            return nb::object(tensor.attr("__dlpack__")(**other));
          },
          nb::arg("stream").none() = nb::none(), nb::arg("kwargs"),
          nb::sig("def __dlpack__(self, stream: typing.Any = None, **kwargs: typing.Any) -> typing.Any"))
      .def(
          "__getitem__", [](const PyArray& a, nb::object key) { return nb::object(a.numpy()[key]); },
          nb::sig("def __getitem__(self, key: typing.Any, /) -> typing.Any"))
      .def(
          "__setitem__", [](const PyArray& a, nb::object key, nb::object value) { a.numpy()[key] = value; },
          nb::sig("def __setitem__(self, key: typing.Any, value: typing.Any, /) -> None"))
      .def(
          "__eq__", [](const PyArray& a, nb::handle b) { return nb::object(a.numpy().attr("__eq__")(b)); },
          nb::sig("def __eq__(self, other: object, /) -> typing.Any"), "Of each element, as numpy.")
      .def(
          "__ne__", [](const PyArray& a, nb::handle b) { return nb::object(a.numpy().attr("__ne__")(b)); },
          nb::sig("def __ne__(self, other: object, /) -> typing.Any"))
      .def("__repr__", [](const PyArray& a) {
        if (a.stale()) return "<cairn.Array \"" + a.name() + "\", stale>";
        const ArrayView view = a.view();
        std::string shape;
        for (int i = 0; i < view.rank; ++i)
          shape += (i != 0 ? ", " : "") + std::to_string(view.shape[static_cast<std::size_t>(i)]);
        return "<cairn.Array \"" + a.name() + "\" (" + shape + ") " + std::string(element_name(view.type)) + " [" +
               a.unit() + "] on " + view.device.name() + ">";
      });

  Class<PyArrays>(
      m, "DeviceArrays",
      "The arrays of a World by name, and calls by arrays on its device. Masks have a byte or bool a world: "
      "those that the call is for; None: all.")
      .def(
          "__getitem__",
          [](const PyArrays& self, std::string_view name) {
            for (const NamedArray& a : self.arrays().list()) {
              if (a.name == name) return PyArray(self.world, a);
            }
            self.arrays().get(name);  // says which there are
            throw Error("unreachable");
          },
          nb::arg("name"), "Raises ValueError, which lists the names, if there is none of the name.")
      .def(
          "get", [](nb::handle self, nb::handle name) { return nb::object(self[name]); }, nb::arg("name"),
          nb::sig("def get(self, name: str) -> Array"), "The same.")
      .def(
          "list",
          [](const PyArrays& self) {
            nb::list all;
            for (const NamedArray& a : self.arrays().list()) all.append(PyArray(self.world, a));
            return all;
          },
          nb::sig("def list(self) -> collections.abc.Sequence[Array]"), "All of them.")
      .def(
          "keys",
          [](const PyArrays& self) {
            nb::list all;
            for (const NamedArray& a : self.arrays().list()) all.append(std::string(a.name));
            return all;
          },
          nb::sig("def keys(self) -> collections.abc.Sequence[str]"))
      .def("__len__", [](const PyArrays& self) { return self.arrays().list().size(); })
      .def(
          "__iter__", [](nb::handle self) { return nb::object(self.attr("keys")().attr("__iter__")()); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[str]"))
      .def(
          "__contains__",
          [](const PyArrays& self, nb::handle name) {
            std::string_view of;
            if (!nb::try_cast(name, of)) return false;
            for (const NamedArray& a : self.arrays().list()) {
              if (a.name == of) return true;
            }
            return false;
          },
          nb::sig("def __contains__(self, name: object, /) -> bool"))
      .def(
          "wait_stream",
          [](PyArrays& self, Given<void*> stream) {
            void* const of = stream.get("stream");
            self.owner().run([&](World& w) { w.arrays().wait_stream(of); });
          },
          nb::arg("stream"), nb::sig("def wait_stream(self, stream: int) -> None"),
          "What is enqueued on the World from now on begins after what the stream, a cudaStream_t as a number, has to "
          "do. The default stream is 1. On the CPU it must be 0, and nothing is done.")
      .def(
          "stream_waits",
          [](const PyArrays& self, Given<void*> stream) {
            void* const of = stream.get("stream");
            self.owner().run([&](const World& w) { w.arrays().stream_waits(of); });
          },
          nb::arg("stream"), nb::sig("def stream_waits(self, stream: int) -> None"),
          "The other way round: what is enqueued on the stream from now on begins after what the World has to do.")
      .def(
          "written",
          [](PyArrays& self, Given<Written> what, nb::handle mask) {
            const Written read = what.get("what");
            self.run(mask, [&](DeviceArrays& of, const std::uint8_t* chosen) { of.written(read, chosen); });
          },
          nb::arg("what"), nb::arg("mask").none() = nb::none(),
          "Tells of what was written into the World's arrays: \"loads\", \"velocities\" or \"poses\". Bodies wake, and "
          "contacts of what was moved end.")
      .def("get_states", by_arrays<StateArrays>(static_cast<Get<StateArrays>>(&DeviceArrays::get_states)),
           nb::arg("to"), nb::arg("mask").none() = nb::none(),
           "States of all bodies into your arrays, float32 or float64, any strides.")
      .def("set_states", by_arrays<StateArrays>(static_cast<Set<StateArrays>>(&DeviceArrays::set_states)),
           nb::arg("from_"), nb::arg("mask").none() = nb::none(),
           "States of all bodies from your arrays. A world with a state that set_state would refuse is left as it is, "
           "frozen.")
      .def(
          "move_to",
          [](PyArrays& self, Given<StateArrays> poses, float dt, nb::handle mask) {
            ArraysGiven keep = self.owner().arrays();
            const StateArrays read = poses.get("poses", keep);
            self.run(keep, Mask(mask, keep),
                     [&](DeviceArrays& of, const std::uint8_t* chosen) { of.move_to(read, dt, chosen); });
          },
          nb::arg("poses"), nb::arg("dt"), nb::arg("mask").none() = nb::none(),
          "World.move_to of all kinematic bodies.")
      .def(
          "articulation_rows", [](const PyArrays& self) { return Made{self.arrays().articulation_rows()}; },
          "How large arrays of articulations are.")
      .def("get_articulations",
           by_arrays<ArticulationArrays>(static_cast<Get<ArticulationArrays>>(&DeviceArrays::get_articulations)),
           nb::arg("to"), nb::arg("mask").none() = nb::none(),
           "Coordinates, rates, forces and targets into your arrays.")
      .def("set_articulations",
           by_arrays<ArticulationArrays>(static_cast<Set<ArticulationArrays>>(&DeviceArrays::set_articulations)),
           nb::arg("from_"), nb::arg("mask").none() = nb::none(), "The same from your arrays.")
      .def("get_articulation_joints",
           by_arrays<ArticulationJointArrays>(
               static_cast<Get<ArticulationJointArrays>>(&DeviceArrays::get_articulation_joints)),
           nb::arg("to"), nb::arg("mask").none() = nb::none(), "What acts along rates, into your arrays.")
      .def("set_articulation_joints",
           by_arrays<ArticulationJointArrays>(
               static_cast<Set<ArticulationJointArrays>>(&DeviceArrays::set_articulation_joints)),
           nb::arg("from_"), nb::arg("mask").none() = nb::none(), "The same from your arrays.")
      .def("get_joints", by_arrays<JointArrays>(static_cast<Get<JointArrays>>(&DeviceArrays::get_joints)),
           nb::arg("to"), nb::arg("mask").none() = nb::none(),
           "What joints measure, bear and are driven by, into your arrays.")
      .def("set_joints", by_arrays<JointArrays>(static_cast<Set<JointArrays>>(&DeviceArrays::set_joints)),
           nb::arg("from_"), nb::arg("mask").none() = nb::none(), "Drives from your arrays.")
      .def("get_materials", by_arrays<MaterialArrays>(static_cast<Get<MaterialArrays>>(&DeviceArrays::get_materials)),
           nb::arg("to"), nb::arg("mask").none() = nb::none(), "Materials into your arrays, a row each.")
      .def("set_materials", by_arrays<MaterialArrays>(static_cast<Set<MaterialArrays>>(&DeviceArrays::set_materials)),
           nb::arg("from_"), nb::arg("mask").none() = nb::none(), "World.set_material of each, from your arrays.")
      .def("set_scales", by_arrays<ScaleArrays>(static_cast<Set<ScaleArrays>>(&DeviceArrays::set_scales)),
           nb::arg("from_"), nb::arg("mask").none() = nb::none(), "World.scales.set of each world and body.")
      .def(
          "reset",
          [](PyArrays& self, nb::handle mask) {
            self.run(mask, [&](DeviceArrays& of, const std::uint8_t* chosen) { of.reset(chosen); });
          },
          nb::arg("mask").none() = nb::none(), "World.reset.")
      // last: what it returns is nanobind's class
      .def_prop_ro(
          "stream", [](const PyArrays& self) { return reinterpret_cast<std::uintptr_t>(self.arrays().stream()); },
          "A cudaStream_t as a number: of WorldOptions, or the World's own; 0 on the CPU.");
}

}  // namespace cairn::python
