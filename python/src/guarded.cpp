// The parts of guarded.h that are compiled once.

#include "python/src/guarded.h"

namespace cairn::python {

nb::object state_arrays(std::vector<BodyState> states, std::optional<Grid> grid) {
  auto* const held = new std::vector<BodyState>(std::move(states));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<BodyState>*>(p); });
  // numpy takes no address for nothing
  static BodyState none;
  BodyState* const first = held->empty() ? &none : held->data();
  const Grid all = grid.value_or(Grid{1, held->size()});
  const std::size_t skipped = grid ? 0 : 1;
  const auto column = [&]<class S>(S* data, std::size_t width) {
    constexpr std::int64_t kState = sizeof(BodyState) / sizeof(S);
    const std::size_t shape[3] = {all.rows, all.columns, width};
    const std::int64_t strides[3] = {static_cast<std::int64_t>(all.columns) * kState, kState, 1};
    return nb::cast(nb::ndarray<nb::numpy, S>(data, 3 - skipped, shape + skipped, owner, strides + skipped));
  };
  return class_of("States")(column(&first->position.x, 3), column(&first->orientation.x, 4),
                            column(&first->linear_velocity.x, 3), column(&first->angular_velocity.x, 3));
}

std::vector<double> numbers_shaped(nb::handle from, const Place& place, std::initializer_list<std::size_t> shape) {
  const bool any = *shape.begin() == kAny;
  std::size_t row = 1;
  std::string wanted = "numbers (";
  for (const std::size_t& n : shape) {
    const bool first = &n == shape.begin();
    wanted += (first ? "" : ", ") + (n == kAny ? std::string("n") : std::to_string(n));
    if (!first) row *= n;
  }
  wanted += shape.size() == 1 ? ",)" : ")";
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object given;
  try {
    given = numpy.attr("asarray")(from);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    refuse(place, wanted, from);
  }
  // no text, which numpy would read, and no truth values; an empty list has float64
  const std::string kind = nb::str(given.attr("dtype").attr("kind")).c_str();
  if (kind != "f" && kind != "i" && kind != "u") refuse(place, wanted, from);
  const nb::object real = numpy.attr("ascontiguousarray")(given, numpy.attr("float64"));
  const auto read = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(real);
  bool same = read.ndim() == shape.size();
  for (std::size_t i = any ? 1 : 0; same && i < shape.size(); ++i) same = read.shape(i) == shape.begin()[i];
  // all in one row
  if (read.ndim() == 1) same = same || (any ? read.size() % row == 0 : read.size() == row * *shape.begin());
  if (!same) {
    std::string is;
    for (std::size_t i = 0; i < read.ndim(); ++i) is += (i != 0 ? ", " : "") + std::to_string(read.shape(i));
    PyErr_SetString(PyExc_ValueError, (place.text() + ": must be " + wanted + ", is (" + is + ")").c_str());
    throw nb::python_error();
  }
  return {read.data(), read.data() + read.size()};
}

nb::object vectors_to(std::vector<Vec3d> values) {
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  auto* const held = new std::vector<Vec3d>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<Vec3d>*>(p); });
  const std::size_t shape[2] = {held->size(), 3};
  // numpy takes no address for nothing
  static double none[3]{};
  double* const data = held->empty() ? none : reinterpret_cast<double*>(held->data());
  return nb::cast(nb::ndarray<nb::numpy, double>(data, 2, shape, owner));
}

std::vector<Vec3d> vectors_from(nb::handle from, const Place& place) {
  const std::vector<double> flat = numbers_shaped(from, place, {kAny, 3});
  std::vector<Vec3d> vectors(flat.size() / 3);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = {flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]};
  return vectors;
}

namespace {

Vec3 vec3_of(const double* v) { return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])}; }

struct StateColumn {
  const char* name;
  std::size_t width;
  void (*set)(BodyState&, const double*);
};
constexpr std::array<StateColumn, 4> kStateColumns{{
    {"position", 3,
     [](BodyState& s, const double* v) {
       s.position = {v[0], v[1], v[2]};
     }},
    {"orientation", 4,
     [](BodyState& s, const double* v) {
       const Vec3 axis = vec3_of(v);
       s.orientation = {axis.x, axis.y, axis.z, static_cast<float>(v[3])};
     }},
    {"linear_velocity", 3, [](BodyState& s, const double* v) { s.linear_velocity = vec3_of(v); }},
    {"angular_velocity", 3, [](BodyState& s, const double* v) { s.angular_velocity = vec3_of(v); }},
}};

}  // namespace

StatesGiven::StatesGiven(nb::handle from) {
  for (std::size_t i = 0; i < kStateColumns.size(); ++i) {
    given_[i] = from.attr(kStateColumns[i].name);
    (void)nb::try_cast(given_[i], read_[i]);
  }
}

std::vector<BodyState> StatesGiven::of(std::size_t count) const {
  std::vector<BodyState> states(count);
  for (std::size_t i = 0; i < kStateColumns.size(); ++i) {
    const auto& [name, width, set] = kStateColumns[i];
    const Array& read = read_[i];
    if (!read.is_valid() || read.shape(0) != count || read.shape(1) != width)
      refuse({.name = name}, "an array (" + std::to_string(count) + ", " + std::to_string(width) + ")", given_[i]);
    for (std::size_t row = 0; row < count; ++row) set(states[row], read.data() + row * width);
  }
  return states;
}

}  // namespace cairn::python
