#pragma once
// Reads "name:key=value,key=value" against the list of built-in scenes.

#include <map>
#include <string>

#include "scenes/builtin.h"

namespace cairn::scenes {

/// A scene's name and all its parameters; omitted ones have their defaults.
struct Spec {
  const BuiltinInfo* info{nullptr};
  std::map<std::string, double> values;

  double operator[](const std::string& parameter) const { return values.at(parameter); }
  int whole(const std::string& parameter) const { return static_cast<int>(values.at(parameter)); }
};

/// Throws InvalidArgument, with a list of valid names.
Spec parse_spec(const std::string& text);

}  // namespace cairn::scenes
