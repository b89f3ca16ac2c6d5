// The parts of guarded.h that are compiled once.

#include "python/src/guarded.h"

namespace cairn::python {

nb::object state_arrays(std::vector<BodyState> states, std::optional<Grid> grid) {
  auto* const held = new std::vector<BodyState>(std::move(states));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<BodyState>*>(p); });
  // numpy takes no address for nothing
  static BodyState none;
  BodyState* const first = held->empty() ? &none : held->data();
  const auto [rows, columns] = grid.value_or(Grid{1, held->size()});
  const std::size_t skipped = grid ? 0 : 1;
  const auto column = [&]<class S>(S* data, std::size_t width) {
    constexpr std::int64_t kState = sizeof(BodyState) / sizeof(S);
    const std::size_t shape[3] = {rows, columns, width};
    const std::int64_t strides[3] = {static_cast<std::int64_t>(columns) * kState, kState, 1};
    return nb::cast(nb::ndarray<nb::numpy, S>(data, 3 - skipped, shape + skipped, owner, strides + skipped));
  };
  return class_of("States")(column(&first->position.x, 3), column(&first->orientation.x, 4),
                            column(&first->linear_velocity.x, 3), column(&first->angular_velocity.x, 3));
}

std::vector<double> numbers_shaped(nb::handle from, std::string_view name, std::initializer_list<std::size_t> shape) {
  std::size_t count = 1;
  std::string wanted;
  for (const std::size_t n : shape) {
    wanted += (wanted.empty() ? "numbers (" : ", ") + std::to_string(n);
    count *= n;
  }
  wanted += shape.size() == 1 ? ",)" : ")";
  const Place place{.name = name};
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object given;
  try {
    given = numpy.attr("asarray")(from);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    refuse(place, wanted, from);
  }
  // no text, which numpy would read, and no truth values; nothing at all has numpy's default, float64
  const std::string kind = nb::str(given.attr("dtype").attr("kind")).c_str();
  if (kind != "f" && kind != "i" && kind != "u") refuse(place, wanted, from);
  const nb::object real = numpy.attr("ascontiguousarray")(given, numpy.attr("float64"));
  const auto read = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(real);
  bool same = read.ndim() == shape.size();
  for (std::size_t i = 0; same && i < shape.size(); ++i) same = read.shape(i) == shape.begin()[i];
  if (!same && (read.ndim() != 1 || read.size() != count)) {
    std::string is;
    for (std::size_t i = 0; i < read.ndim(); ++i) is += (i != 0 ? ", " : "") + std::to_string(read.shape(i));
    PyErr_SetString(PyExc_ValueError, (place.text() + ": must be " + wanted + ", is (" + is + ")").c_str());
    throw nb::python_error();
  }
  return {read.data(), read.data() + read.size()};
}

}  // namespace cairn::python
