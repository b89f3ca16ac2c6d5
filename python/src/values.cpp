// The parts of values.h that are compiled once.

#include "python/src/values.h"

#include <nanobind/nanobind.h>

namespace cairn::python {

std::string Place::text() const {
  std::string before = up != nullptr ? up->text() : std::string();
  if (index >= 0) return before + "[" + std::to_string(index) + "]";
  return before.empty() ? std::string(name) : before + "." + std::string(name);
}

namespace {

std::string shown(nb::handle found) {
  const nb::object all = nb::steal(PyObject_Repr(found.ptr()));
  if (!all.is_valid()) throw nb::python_error();
  std::string text = nb::str(all).c_str();
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text + " (" + std::string(nb::str(found.type().attr("__name__")).c_str()) + ")";
}

[[noreturn]] void raise(PyObject* type, const std::string& message) {
  PyErr_SetString(type, message.c_str());
  throw nb::python_error();
}

}  // namespace

void refuse(const Place& place, std::string_view wanted, nb::handle found) {
  raise(PyExc_TypeError, place.text() + ": must be " + std::string(wanted) + ", is " + shown(found));
}
void out_of_range(const Place& place, const std::string& wanted, nb::handle found) {
  raise(PyExc_ValueError, place.text() + ": must be " + wanted + ", is " + shown(found));
}
void refuse_raised(const Place& place, std::string_view wanted, nb::handle found) {
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
  PyErr_Clear();
  refuse(place, wanted, found);
}

bool is_instance(nb::handle of, nb::handle of_class) {
  const int is = PyObject_IsInstance(of.ptr(), of_class.ptr());
  if (is < 0) throw nb::python_error();
  return is == 1;
}
bool is_true(nb::handle of) {
  const int is = PyObject_IsTrue(of.ptr());
  if (is < 0) throw nb::python_error();
  return is == 1;
}
bool is_index(nb::handle of) noexcept {
  if (PyIndex_Check(of.ptr()) == 0) return false;
  if (PySequence_Check(of.ptr()) == 0) return true;
  // an array without dimensions is a number, too, and has no length
  if (PySequence_Size(of.ptr()) >= 0) return false;
  PyErr_Clear();
  return true;
}

double number(nb::handle from, const Place& place) {
  const double value = PyFloat_AsDouble(from.ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) refuse_raised(place, "a number", from);
  return value;
}

long long whole(nb::handle from, const Place& place, long long min, unsigned long long max) {
  const nb::object index = nb::steal(PyNumber_Index(from.ptr()));
  if (!index.is_valid()) refuse_raised(place, "a whole number", from);
  const std::string range = std::to_string(min) + " to " + std::to_string(max);
  if (min < 0) {
    const long long value = PyLong_AsLongLong(index.ptr());
    // of an int: it can only be out of range
    const bool over = value == -1 && PyErr_Occurred() != nullptr;
    if (over) PyErr_Clear();
    if (over || value < min || (value > 0 && static_cast<unsigned long long>(value) > max))
      out_of_range(place, range, from);
    return value;
  }
  const unsigned long long value = PyLong_AsUnsignedLongLong(index.ptr());
  const bool over = value == ~0ull && PyErr_Occurred() != nullptr;
  if (over) PyErr_Clear();
  if (over || value > max) out_of_range(place, range, from);
  return static_cast<long long>(value);
}

bool truth(nb::handle from, const Place& place) {
  if (from.is(Py_True)) return true;
  if (from.is(Py_False)) return false;
  // numpy's own
  const std::string type = nb::str(from.type().attr("__name__")).c_str();
  if (type != "bool" && type != "bool_") refuse(place, "True or False", from);
  return is_true(from);
}

std::string text(nb::handle from, const Place& place) {
  std::string value;
  if (!nb::try_cast(from, value)) refuse(place, "a str", from);
  return value;
}

std::filesystem::path path_of(nb::handle from) {
  const nb::object text = nb::steal(PyOS_FSPath(from.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  return to_cpp<std::string>(text, {.name = "path"});
}

std::size_t word(nb::handle from, const Place& place, std::span<const std::string_view> words) {
  std::string_view value;
  std::string wanted;
  if (nb::try_cast(from, value)) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == value) return i;
    }
  }
  for (const std::string_view w : words) wanted += (wanted.empty() ? "one of " : ", ") + std::string(w);
  if (PyUnicode_Check(from.ptr())) out_of_range(place, wanted, from);
  refuse(place, wanted, from);
}

void numbers(nb::handle from, const Place& place, double* to, std::size_t count) {
  const std::string wanted = std::to_string(count) + " numbers";
  if (PyUnicode_Check(from.ptr()) || PySequence_Check(from.ptr()) == 0) refuse(place, wanted, from);
  const Py_ssize_t size = PySequence_Size(from.ptr());
  if (size < 0) refuse_raised(place, wanted, from);
  if (size != static_cast<Py_ssize_t>(count)) refuse(place, wanted, from);
  for (std::size_t i = 0; i < count; ++i) {
    const nb::object item = nb::steal(PySequence_GetItem(from.ptr(), static_cast<Py_ssize_t>(i)));
    if (!item.is_valid()) refuse_raised(place, wanted, from);
    to[i] = number(item, place.element(static_cast<std::ptrdiff_t>(i)));
  }
}

nb::object items(nb::handle from, const Place& place, std::string_view wanted) {
  if (PyUnicode_Check(from.ptr())) refuse(place, wanted, from);
  const nb::object each = nb::steal(PyObject_GetIter(from.ptr()));
  if (!each.is_valid()) refuse_raised(place, wanted, from);
  nb::object list = nb::steal(PySequence_List(each.ptr()));
  if (!list.is_valid()) throw nb::python_error();
  return list;
}

Device device(nb::handle from, const Place& place) {
  if (PyUnicode_Check(from.ptr())) return Device::parse(text(from, place));
  return struct_to_cpp<Device>(from, place);
}

void* address(nb::handle from, const Place& place) {
  return reinterpret_cast<void*>(
      static_cast<std::uintptr_t>(whole(from, place, 0, std::numeric_limits<std::uintptr_t>::max())));
}

namespace {
/// Of an array on the World's CUDA device a tensor that its maker has made ready where the World's stream is.
nb::object on_stream(nb::handle from, const Place& place) {
  if (place.arrays == nullptr || place.arrays->stream == nullptr || !nb::hasattr(from, "__dlpack_device__"))
    return nb::borrow(from);
  const nb::object lies_on = from.attr("__dlpack_device__")();
  const std::array<int, 2> here{nb::device::cuda::value, place.arrays->device.index};
  if (to_cpp<std::array<int, 2>>(lies_on, place) != here) return nb::borrow(from);
  const auto as_number = reinterpret_cast<std::uintptr_t>(place.arrays->stream);
  nb::dict asked;
  asked["stream"] = as_number;
  asked["max_version"] = nb::make_tuple(1, 1);
  try {
    return nb::object(from.attr("__dlpack__")(**asked));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
  }
  // one from before DLPack 1
  nb::dict old;
  old["stream"] = as_number;
  return nb::object(from.attr("__dlpack__")(**old));
}
}  // namespace

ArrayView array(nb::handle from, const Place& place) {
  nb::ndarray<> given;
  nb::ndarray<nb::ro> read;
  const char* wanted = "an array (numpy, or another of DLPack)";
  bool writable = true;
  const nb::object made = on_stream(from, place);
  if (!nb::try_cast(made, given)) {
    if (!nb::try_cast(made, read)) refuse(place, wanted, from);
    writable = false;
    given = nb::ndarray<>(read);
  }
  if (given.ndim() < 1 || given.ndim() > 3) refuse(place, "an array of 1 to 3 dimensions", from);
  ArrayView view{.data = static_cast<std::byte*>(given.data_handle()) + given.byte_offset(),
                 .rank = static_cast<int>(given.ndim()),
                 .writable = writable};
  const nb::dlpack::dtype type = given.dtype();
  const auto is = [&](nb::dlpack::dtype_code code, int bits) {
    return type.code == static_cast<std::uint8_t>(code) && type.bits == bits && type.lanes == 1;
  };
  if (is(nb::dlpack::dtype_code::Float, 32)) {
    view.type = ElementType::kFloat32;
  } else if (is(nb::dlpack::dtype_code::Float, 64)) {
    view.type = ElementType::kFloat64;
  } else if (is(nb::dlpack::dtype_code::UInt, 8) || is(nb::dlpack::dtype_code::Bool, 8)) {
    view.type = ElementType::kUint8;
  } else if (is(nb::dlpack::dtype_code::UInt, 32)) {
    view.type = ElementType::kUint32;
  } else if (is(nb::dlpack::dtype_code::UInt, 64)) {
    view.type = ElementType::kUint64;
  } else {
    refuse(place, "an array of float32, float64, uint8, uint32 or uint64", from);
  }
  for (std::size_t i = 0; i < given.ndim(); ++i) {
    view.shape[i] = static_cast<std::int64_t>(given.shape(i));
    view.strides[i] = given.stride(i);
  }
  if (given.device_type() == nb::device::cuda::value) {
    view.device = Device::cuda(given.device_id());
  } else if (given.device_type() != nb::device::cpu::value) {
    refuse(place, "an array on the CPU or on a CUDA device", from);
  }
  if (place.arrays != nullptr) place.arrays->held.push_back(given);
  return view;
}

double shortest(float value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double wide = value;
  std::from_chars(text.data(), end, wide);
  return wide;
}

nb::object enum_value(nb::handle of_class, std::string_view word) {
  return of_class(nb::str(word.data(), word.size()));
}

// ---- classes of the package ----

namespace {
PyObject* classes = nullptr;
PyObject* object_new = nullptr;
}  // namespace

void take_classes(const nb::dict& from) {
  nb::dict copy;
  for (const auto [name, what] : from) copy[name] = what;
  Py_XDECREF(classes);
  classes = copy.release().ptr();
  object_new = nb::object(nb::handle(reinterpret_cast<PyObject*>(&PyBaseObject_Type)).attr("__new__")).release().ptr();
}

nb::handle class_of(std::string_view name) {
  if (classes == nullptr) raise(PyExc_ImportError, "cairn._core: import cairn instead");
  PyObject* found = PyDict_GetItemString(classes, std::string(name).c_str());
  if (found == nullptr) raise(PyExc_SystemError, "cairn._core: there is no class " + std::string(name));
  return found;
}

nb::object new_object(nb::handle of_class) { return nb::handle(object_new)(of_class); }

nb::handle interned(std::string_view text) { return PyUnicode_InternFromString(std::string(text).c_str()); }

/// The attribute that holds a member: the slot itself where Python converts what is set to a tuple (cairn/_values.py).
template <class A>
nb::handle held_as() {
  using M = typename A::Type;
  constexpr bool kConverts = kIsVec3<M> || kIsQuat<M> || std::is_same_v<M, std::optional<Vec3>>;
  static const nb::handle name = interned((kConverts ? "_" : "") + std::string(A::name()));
  return name;
}

template <Struct T>
T struct_to_cpp(nb::handle from, const Place& place) {
  T value{};
  if (!is_instance(from, class_of<T>())) refuse(place, PyName<T>::value, from);
  attribute_list<T>().apply([&](const auto&... member) {
    const auto take = [&]<class A>(const A&) {
      const nb::object held = nb::steal(PyObject_GetAttr(from.ptr(), held_as<A>().ptr()));
      if (!held.is_valid()) throw nb::python_error();
      value.*A::member = to_cpp<typename A::Type>(held, place.member(A::name()));
    };
    (take(member), ...);
  });
  return value;
}

template <Struct T>
nb::object struct_to_python(const T& value) {
  nb::object made = new_object(class_of<T>());
  attribute_list<T>().apply([&](const auto&... member) {
    const auto give = [&]<class A>(const A&) {
      if (PyObject_SetAttr(made.ptr(), held_as<A>().ptr(), to_python(value.*A::member).ptr()) != 0)
        throw nb::python_error();
    };
    (give(member), ...);
  });
  return made;
}

/// So that both are made for all structs.
template <class... T>
std::array<std::pair<void*, void*>, sizeof...(T)> table(std::tuple<T...>*) {
  return {std::pair{reinterpret_cast<void*>(&struct_to_cpp<T>), reinterpret_cast<void*>(&struct_to_python<T>)}...};
}
auto all_structs() { return table(static_cast<Structs*>(nullptr)); }

}  // namespace cairn::python
