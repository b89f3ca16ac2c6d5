// What the structs and enums are, for python/generate.py, which writes their Python classes.

#include <cctype>

#include "python/src/topics.h"
#include "python/src/values.h"

namespace cairn::python {
namespace {

std::string upper(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

template <class V>
constexpr std::string_view variant_name() {
  if constexpr (std::is_same_v<V, Geometry>) return "Geometry";
  if constexpr (std::is_same_v<V, JointKind>) return "JointKind";
  if constexpr (std::is_same_v<V, fields::Any>) return "FieldLaw";
}

/// The type of a member, as type checkers read it; of what it is made from where `given`.
template <class T>
std::string type(bool given = false) {
  if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_floating_point_v<T>) {
    return "float";
  } else if constexpr (std::is_integral_v<T> || std::is_same_v<T, void*>) {
    return "int";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "str";
  } else if constexpr (std::is_same_v<T, ArrayView>) {
    return "ArrayLike | None";
  } else if constexpr (kIsVec3<T>) {
    return given ? "Vec3Like" : "Vec3";
  } else if constexpr (kIsQuat<T>) {
    return given ? "QuatLike" : "Quat";
  } else if constexpr (kIsOptional<T>) {
    return type<typename T::value_type>(given) + " | None";
  } else if constexpr (kIsVariant<T>) {
    return std::string(variant_name<T>());
  } else if constexpr (kIsVector<T> || kIsArray<T>) {
    using E = typename T::value_type;
    if (given && (std::is_arithmetic_v<E> || kIsVec3<E>)) return "ManyLike[" + type<E>(true) + "]";
    return (given ? "Iterable[" : "list[") + type<E>(given) + "]";
  } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, Device>) {
    return std::string(PyName<T>::value) + (given ? " | str" : "");
  } else {
    return std::string(PyName<T>::value);
  }
}

/// The function of cairn/_values.py that makes a member of what it is given; empty: it is kept as it is.
template <class T>
std::string converter() {
  if constexpr (kIsVec3<T>) return "vec3";
  if constexpr (kIsQuat<T>) return "quat";
  if constexpr (std::is_enum_v<T>) return std::string(PyName<T>::value);
  if constexpr (kIsOptional<T>) return converter<typename T::value_type>();
  if constexpr (kIsVector<T> || kIsArray<T>) {
    using E = typename T::value_type;
    if (kIsVec3<E>) return "vec3_list";
    return std::is_arithmetic_v<E> ? "number_list" : "list";
  }
  return "";
}

std::string number_text(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return nb::str(nb::steal(PyObject_Repr(nb::float_(value).ptr()))).c_str();
}

/// A Python expression that makes the value.
template <class T>
std::string expression(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_same_v<T, float>) {
    return number_text(shortest(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return number_text(value);
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_same_v<T, void*>) {
    return "0";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return nb::str(nb::steal(PyObject_Repr(nb::str(value.c_str()).ptr()))).c_str();
  } else if constexpr (std::is_same_v<T, ArrayView>) {
    return "None";
  } else if constexpr (kIsVec3<T>) {
    return "(" + expression(value.x) + ", " + expression(value.y) + ", " + expression(value.z) + ")";
  } else if constexpr (kIsQuat<T>) {
    return "(" + expression(value.x) + ", " + expression(value.y) + ", " + expression(value.z) + ", " +
           expression(value.w) + ")";
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(PyName<T>::value) + "." + upper(word_of(value));
  } else if constexpr (kIsHeld<T>) {
    return std::string(PyName<T>::value) + "()";
  } else if constexpr (kIsOptional<T>) {
    return value ? expression(*value) : "None";
  } else if constexpr (kIsVariant<T>) {
    return std::visit([](const auto& held) { return expression(held); }, value);
  } else if constexpr (kIsVector<T> || kIsArray<T>) {
    std::string all = "[";
    for (const auto& e : value) all += (all.size() > 1 ? ", " : "") + expression(e);
    return all + "]";
  } else {
    const T plain{};
    std::string given;
    attribute_list<T>().apply([&](const auto&... member) {
      const auto add = [&]<class A>(const A&) {
        const std::string text = expression(value.*A::member);
        if (&value != &plain && text != expression(plain.*A::member))
          given += (given.empty() ? "" : ", ") + std::string(A::name()) + "=" + text;
      };
      (add(member), ...);
    });
    return std::string(PyName<T>::value) + "(" + given + ")";
  }
}

std::string range_text(const AttributeRange& range) {
  std::string text;
  const bool low = std::isfinite(range.min), high = std::isfinite(range.max);
  if (low && high) {
    text = (range.open ? "over " : "") + number_text(range.min) + " to " + number_text(range.max);
  } else if (low) {
    text = (range.open ? "over " : "at least ") + number_text(range.min);
  } else if (high) {
    text = "at most " + number_text(range.max);
  }
  if (range.zero != nullptr) text += (text.empty() ? "0: " : "; 0: ") + std::string(range.zero);
  if (range.infinite != nullptr)
    text += (text.empty() ? "" : "; ") + std::string(range.below ? "-inf: " : "inf: ") + range.infinite;
  return text;
}

template <class T>
nb::dict struct_described() {
  const T plain{};
  nb::list members;
  attribute_list<T>().apply([&](const auto&... member) {
    const auto add = [&]<class A>(const A& a) {
      using M = typename A::Type;
      nb::dict row;
      row["name"] = nb::str(std::string(A::name()).c_str());
      row["type"] = type<M>();
      row["given"] = type<M>(true);
      row["convert"] = converter<M>();
      row["default"] = expression(plain.*A::member);
      row["optional"] = kIsOptional<M> || std::is_same_v<M, ArrayView>;
      row["unit"] = a.info.unit;
      row["range"] = range_text(a.info.range);
      row["meaning"] = a.info.meaning;
      members.append(row);
    };
    (add(member), ...);
  });
  nb::dict all;
  all["name"] = nb::str(PyName<T>::value.data(), PyName<T>::size);
  const std::string_view name = name_in_cpp<T>();
  all["cpp"] = nb::str(name.data(), name.size());
  all["members"] = members;
  return all;
}

template <class E>
nb::dict enum_described() {
  nb::list words;
  for (const auto& [word, value] : EnumWords<E>::all) words.append(nb::make_tuple(upper(word), std::string(word)));
  nb::dict all;
  all["name"] = nb::str(PyName<E>::value.data(), PyName<E>::size);
  const std::string_view name = name_in_cpp<E>();
  all["cpp"] = nb::str(name.data(), name.size());
  all["words"] = words;
  return all;
}

/// Of an enum whose values are bits.
template <class E, std::size_t N>
nb::dict flags_described(const std::array<Word<E>, N>& names) {
  nb::list words;
  for (const auto& [word, value] : names) words.append(nb::make_tuple(upper(word), static_cast<std::uint64_t>(value)));
  nb::dict all;
  all["name"] = nb::str(PyName<E>::value.data(), PyName<E>::size);
  const std::string_view name = name_in_cpp<E>();
  all["cpp"] = nb::str(name.data(), name.size());
  all["words"] = words;
  return all;
}

template <class V>
nb::dict variant_described() {
  nb::list types;
  const auto add = [&]<class... T>(std::variant<T...>*) { (types.append(std::string(PyName<T>::value)), ...); };
  add(static_cast<V*>(nullptr));
  nb::dict all;
  all["name"] = std::string(variant_name<V>());
  all["types"] = types;
  return all;
}

nb::dict described() {
  nb::list structs, enums, flags, variants;
  const auto add_structs = [&]<class... T>(std::tuple<T...>*) { (structs.append(struct_described<T>()), ...); };
  add_structs(static_cast<Structs*>(nullptr));
  const auto add_enums = [&]<class... T>(std::tuple<T...>*) { (enums.append(enum_described<T>()), ...); };
  add_enums(static_cast<Enums*>(nullptr));
  flags.append(flags_described(kStatusNames));
  variants.append(variant_described<Geometry>());
  variants.append(variant_described<JointKind>());
  variants.append(variant_described<fields::Any>());
  nb::dict all;
  all["structs"] = structs;
  all["enums"] = enums;
  all["flags"] = flags;
  all["variants"] = variants;
  return all;
}

}  // namespace

void bind_description(nb::module_& m) {
  m.def("_describe", &described);
  m.def("_take_classes", &take_classes);
  m.attr("WORLD_BODY") = kWorldBody;
  m.attr("WORLD_LINK") = kWorldLink;
  m.attr("NO_LINK_BODY") = kNoLinkBody;
  m.attr("NUMERICS_VERSION") = kNumericsVersion;
  m.attr("MAX_RAYLEIGH") = kMaxRayleigh;
}

}  // namespace cairn::python
