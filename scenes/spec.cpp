#include "scenes/spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace cairn::scenes {
namespace {

/// The range in words: "a whole number between 1 and 3000".
std::string words(const ParameterInfo& info) {
  const auto text = [](double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return std::string(digits.data(), end);
  };
  return (info.whole ? "a whole number between " : "a number between ") + text(info.low) + " and " + text(info.high);
}

template <class T>
std::string names(const std::vector<T>& things) {
  std::string text;
  for (const T& thing : things) text += (text.empty() ? "" : ", ") + thing.name;
  return text.empty() ? "none" : text;
}

const BuiltinInfo& find_scene(const std::string& name) {
  for (const BuiltinInfo& info : list()) {
    if (info.name == name) return info;
  }
  throw InvalidArgument("no built-in scene is named \"" + name + "\"; there are: " + names(list()));
}

}  // namespace

Spec parse_spec(const std::string& text) {
  const std::size_t colon = text.find(':');
  Spec spec;
  spec.info = &find_scene(text.substr(0, colon));
  for (const ParameterInfo& parameter : spec.info->parameters) spec.values[parameter.name] = parameter.value;
  if (colon == std::string::npos) return spec;

  const std::string what = "scene " + spec.info->name;
  std::map<std::string, bool> given;
  std::string_view rest = std::string_view(text).substr(colon + 1);
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string item(rest.substr(0, comma));
    more = comma != std::string_view::npos;
    rest.remove_prefix(more ? comma + 1 : rest.size());

    const std::size_t equals = item.find('=');
    const std::string key = item.substr(0, equals);
    const auto& parameters = spec.info->parameters;
    const auto info = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == key; });
    if (info == parameters.end()) {
      throw InvalidArgument(what + " has no parameter \"" + key + "\"; there are: " + names(parameters));
    }
    if (given[key]) throw InvalidArgument(what + ": parameter " + key + " is given twice");
    given[key] = true;

    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool read = error == std::errc{} && end == value.data() + value.size() && std::isfinite(number);
    if (!read || number < info->low || number > info->high || (info->whole && number != std::floor(number))) {
      throw InvalidArgument(what + ": parameter " + key + " must be " + words(*info) + ", is \"" + value + "\"");
    }
    spec.values[key] = number;
  }
  return spec;
}

}  // namespace cairn::scenes
