// docs/scene.schema.json and the tables of docs/scenes.md have of each described struct what its list has.
// CAIRN_DOCS=write puts it there.

#include <set>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "src/describe/attributes.h"
#include "src/scene/check_attributes.h"
#include "src/scene_file/write_attributes.h"
#include "tests/scene_file/schema.h"
#include "tests/support/docs.h"

namespace cairn::scene_file_test {
namespace {

using namespace scene_file;       // NOLINT
using namespace testing_support;  // NOLINT

/// "[m] corner of the box", with quotes.
std::string description(const AttributeInfo& info, bool measured) {
  std::string text = measured ? "[" + std::string(info.unit) + "]" : "";
  if (*info.meaning != 0) text += (text.empty() ? "" : " ") + std::string(info.meaning);
  return text_of(text);
}

std::string bounds(const AttributeRange& range) {
  std::string text = R"("type": "number")";
  const double none = std::numeric_limits<double>::infinity();
  if (range.min > -none)
    text += std::string(range.open ? R"(, "exclusiveMinimum": )" : R"(, "minimum": )") + rules::bound(range.min);
  if (range.max < none) text += R"(, "maximum": )" + rules::bound(range.max);
  return text;
}

/// What a key's value may be.
template <class V>
std::string schema_type(const AttributeInfo& info) {
  if constexpr (Worded<V>) {
    std::string words;
    for (const auto& word : EnumWords<V>::all) words += (words.empty() ? "" : ", ") + text_of(word.first);
    return R"("enum": [)" + words + "]";
  } else if constexpr (std::same_as<V, std::string>) {
    return info.required ? R"("$ref": "#/$defs/name")" : R"("type": "string")";
  } else if constexpr (std::same_as<V, bool>) {
    return R"("type": "boolean")";
  } else if constexpr (std::same_as<V, Quat>) {
    return R"("$ref": "#/$defs/quaternion")";
  } else if constexpr (std::same_as<V, Vec3> || std::same_as<V, Vec3d>) {
    return R"("type": "array", "minItems": 3, "maxItems": 3, "items": {)" + bounds(info.range) + "}";
  } else if constexpr (std::same_as<V, std::uint32_t>) {
    if (info.range.max > std::numeric_limits<int>::max())
      return R"("type": "integer", "minimum": 0, "maximum": 4294967295)";
    return std::regex_replace(bounds(info.range), std::regex("number"), "integer");
  } else if constexpr (std::integral<V>) {
    if (info.range.max > std::numeric_limits<int>::max())
      return R"("type": "integer", "minimum": -2147483647, "maximum": 2147483647)";
    return std::regex_replace(bounds(info.range), std::regex("number"), "integer");
  } else if (info.range.zero != nullptr || info.range.infinite != nullptr) {
    return R"("anyOf": [{)" + bounds(info.range) + "}" + (info.range.zero != nullptr ? R"(, {"const": 0})" : "") +
           (info.range.infinite != nullptr ? R"(, {"const": ")" + std::string(infinite_word(info.range)) + "\"}" : "") +
           "]";
  } else {
    return bounds(info.range);
  }
}

/// What a struct is called in the schema's "$defs".
template <class T>
const char* kDefinition = nullptr;
template <>
const char* kDefinition<Filter> = "filter";
template <>
const char* kDefinition<Fluid> = "fluid";
template <>
const char* kDefinition<JointFrame> = "joint_frame";
template <>
const char* kDefinition<JointAxis> = "joint_axis";
template <>
const char* kDefinition<JointDrive> = "joint_drive";
template <>
const char* kDefinition<ArticulationJoint> = "link_joint";

template <class V>
constexpr bool kNumber = Plain<V> && !Worded<V> && !std::same_as<V, bool> && !std::same_as<V, std::string>;

/// A key of an object in the schema with its line; without one that of the schema stays.
using Entry = std::pair<std::string, std::optional<std::string>>;

// Hundreds of members take the templates below; what needs no type is compiled once.
void add_entry(std::vector<Entry>& entries, std::string_view key, const AttributeInfo& info, std::string line,
               bool measured) {
  const std::string text = description(info, measured);
  if (text != R"("")") line += R"(, "description": )" + text;
  const std::string name(key);
  entries.emplace_back(name, text_of(name) + ": {" + line + "}");
}
void add_reference(std::vector<Entry>& entries, std::string_view key, const AttributeInfo& info, const char* to) {
  add_entry(entries, key, info, R"("$ref": "#/$defs/)" + std::string(to) + '"', false);
}

template <Described T>
void add_entries(std::vector<Entry>& entries, const T& usual) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    using V = HeldOf<Attribute<kMember>>;
    constexpr Form form = form_of<kMember>();
    const auto& info = attribute.info;
    const auto key = attribute.key();
    if constexpr (form == Form::kValue) {
      std::string line = schema_type<V>(info);
      if constexpr (Plain<typename Attribute<kMember>::Type>) {
        if (!info.required) line.append(R"(, "default": )").append(text_of_value(usual.*kMember));
      }
      add_entry(entries, key, info, std::move(line), kNumber<V>);
    } else if constexpr (form == Form::kObject) {
      add_reference(entries, key, info, kDefinition<V>);
    } else if constexpr (form == Form::kElements) {
      for (std::size_t i = 0; i < std::tuple_size_v<V>; ++i) {
        add_reference(entries, info.elements[i], info, kDefinition<typename V::value_type>);
      }
    } else if constexpr (form == Form::kFlat) {
      add_entries(entries, usual.*kMember);
    } else if constexpr (form == Form::kOwn) {
      entries.emplace_back(key, std::nullopt);
    }
  });
}

template <Worded V>
std::string words_of() {
  std::string words;
  for (const auto& word : EnumWords<V>::all) words += (words.empty() ? "`" : ", `") + std::string(word.first) + "`";
  return words;
}

/// The row of some keys, "`a`, `b`".
std::string row_of(const AttributeInfo& info, const std::string& keys, const std::string& range, std::string initial,
                   bool measured) {
  std::erase(initial, '"');
  return "| " + keys + " | " + (measured ? info.unit : "") + " | " + range + " | " + initial + " | " +
         linked(info.meaning) + " |\n";
}
std::string quoted(std::string_view key) { return "`" + std::string(key) + "`"; }
std::string range_of(const AttributeInfo& info) {
  return rules::range_text(info.range) + rules::exceptions_of(info.range);
}

/// Rows of a table.
template <Described T>
void add_rows(std::vector<std::string>& rows, const T& usual) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    using M = typename Attribute<kMember>::Type;
    using V = HeldOf<Attribute<kMember>>;
    constexpr Form form = form_of<kMember>();
    const AttributeInfo& info = attribute.info;
    if constexpr (form == Form::kFlat) {
      add_rows(rows, usual.*kMember);
    } else if constexpr (form != Form::kAbsent) {
      std::string range, keys, initial = info.required ? "required" : "none";
      if constexpr (Worded<V>) {
        range = words_of<V>();
      } else if constexpr (std::same_as<V, bool>) {
        range = "`true` or `false`";
      } else if constexpr (kNumber<V>) {
        range = range_of(info);
      }
      if constexpr (form == Form::kValue && Plain<M>) {
        if (!info.required) initial = text_of_value(usual.*kMember);
      }
      if constexpr (form == Form::kElements) {
        for (std::size_t i = 0; i < std::tuple_size_v<V>; ++i)
          keys.append(i > 0 ? ", " : "").append(quoted(info.elements[i]));
      } else {
        keys = quoted(attribute.key());
      }
      const bool measured = (kNumber<V> && form == Form::kValue) || *info.unit != '1';
      rows.push_back(row_of(info, keys, range, std::move(initial), measured));
    }
  });
}

struct Table {
  std::string name;  ///< in the mark above it
  std::string text;
};
template <Described T>
Table table(const char* name) {
  std::vector<std::string> rows;
  add_rows(rows, T{});
  Table made{name, "| key | unit | range | default | meaning |\n|---|---|---|---|---|\n"};
  for (const std::string& row : rows) made.text += row;
  return made;
}
/// Of what a variant may hold; the word of each stands in the first of its rows.
template <class Variant>
Table table_of_kinds(const char* name, const char* head) {
  Table made{name,
             "| " + std::string(head) + " | key | unit | range | default | meaning |\n|---|---|---|---|---|---|\n"};
  for (std::size_t k = 0; k < std::variant_size_v<Variant>; ++k) {
    std::vector<std::string> rows;
    std::visit(
        [&]<class Kind>(const Kind& kind) {
          if constexpr (Described<Kind>) add_rows(rows, kind);
        },
        make_type<Variant>(k));
    std::string first = "| `" + std::string(VariantWords<Variant>::all[k]) + "` ";
    for (const std::string& row : rows) {
      made.text += first + row;
      first = "| ";
    }
    if (rows.empty()) made.text += first + "| | | | | |\n";
  }
  return made;
}

/// An object of the schema's "$defs".
struct Definition {
  std::string name;
  std::vector<Entry> entries;
  SchemaKeys required{};
};
template <Described T>
void add_required(SchemaKeys& keys) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    if constexpr (form_of<kMember>() == Form::kFlat) add_required<HeldOf<Attribute<kMember>>>(keys);
    if (attribute.info.required) keys.insert(std::string(attribute.key()));
  });
}
/// With keys that the list doesn't have, behind or before those that it has.
template <Described T>
Definition definition(std::string name, const std::vector<std::string_view>& behind = {}, const T& usual = {},
                      const std::vector<std::string_view>& before = {}) {
  Definition made{.name = std::move(name), .entries = {}};
  add_required<T>(made.required);
  for (const std::string_view key : before) made.entries.emplace_back(key, std::nullopt);
  add_entries(made.entries, usual);
  for (const std::string_view key : behind) made.entries.emplace_back(key, std::nullopt);
  return made;
}
template <class List>
std::vector<std::string_view> keys_in_list(const List& keys) {
  return {std::begin(keys), std::end(keys)};
}

/// What the lists make.
struct Made {
  std::vector<Definition> definitions;
  std::vector<Table> tables;

  template <Described T>
  void add(const char* name, const std::vector<std::string_view>& behind = {},
           const std::vector<std::string_view>& before = {}) {
    definitions.push_back(definition<T>(name, behind, {}, before));
    tables.push_back(table<T>(name));
  }
};

Made made_of_lists() {
  Made made;
  made.add<Material>("material");
  made.add<Body>("body");
  made.add<Filter>("filter");
  made.add<WorldLimits>("limits");
  made.add<StepParams>("solver");
  made.add<Shape>("shape", {}, keys_in_list(VariantWords<Geometry>::all));
  made.add<Articulation>("articulation", {kFirstBody[0], kStart[0]});
  made.add<ArticulationLink>("link");
  made.add<ArticulationJoint>("link_joint");
  made.add<ArticulationCoupling>("coupling");
  made.add<CouplingTerm>("coupling_term");
  made.add<JointFrame>("joint_frame");
  made.add<JointAxis>("joint_axis");
  made.add<JointDrive>("joint_drive");
  made.add<Joint>("joint");
  made.add<ParticleSet>("particles", keys_in_list(kFirstBody));
  made.add<Fluid>("fluid");
  made.add<ConstraintGroup>("constraint");
  made.add<Attachment>("attachment");
  made.add<fields::Spring>("spring");
  made.add<SceneCamera>("camera");
  made.tables.push_back(table_of_kinds<Geometry>("shapes", "shape"));
  made.tables.push_back(table_of_kinds<JointKind>("joints", "`kind`"));
  made.tables.push_back(table_of_kinds<fields::Any>("fields", "law"));
  std::vector<Definition>& all = made.definitions;
  all.push_back(definition<PointMass>("point_mass"));  // scenes.md has no table of it
  // bodies and frames are of all kinds but gears
  for (Definition& d : all) {
    if (d.name != "joint") continue;
    std::erase_if(d.entries,
                  [](const Entry& e) { return e.first.starts_with("body_") || e.first.starts_with("frame_"); });
  }
  const auto add_kinds = [&]<class Variant>(const Variant&, const std::string& ending, const auto& before) {
    for (std::size_t k = 0; k < std::variant_size_v<Variant>; ++k) {
      std::visit(
          [&]<class Kind>(const Kind& kind) {
            if constexpr (Described<Kind> && !std::same_as<Kind, fields::Springs>)
              all.push_back(
                  definition<Kind>(std::string(VariantWords<Variant>::all[k]) + ending, {}, kind, before(kind)));
          },
          make_type<Variant>(k));
    }
  };
  using Keys = std::vector<std::string_view>;
  const auto nothing = [](const auto&) { return Keys{}; };
  add_kinds(Geometry{}, "_shape", nothing);
  add_kinds(fields::Any{}, "_law", nothing);
  add_kinds(JointKind{}, "_joint", []<class Kind>(const Kind&) {
    return std::same_as<Kind, GearJoint> ? Keys{"kind"} : Keys{"kind", "body_a", "body_b", "frame_a", "frame_b"};
  });
  return made;
}

/// The schema's text with the properties of an object as its list has them.
std::string with_properties(std::string schema, const Definition& of) {
  const std::string opening = "\n      \"properties\": {", indent = "\n        ";
  const std::size_t at = schema.find("\n    \"" + of.name + "\": {", schema.find("\"$defs\""));
  const std::size_t begin = schema.find(opening, at) + opening.size();
  EXPECT_LT(begin, schema.find("\n    }", at)) << of.name;
  if (at == std::string::npos || begin >= schema.find("\n    }", at)) return schema;
  const std::size_t end = schema.find("\n      }", begin);
  std::string text;
  for (const auto& [key, line] : of.entries) {
    text += text.empty() ? indent : "," + indent;
    if (line) {
      text += *line;
      continue;
    }
    // as it is, up to the next key of this depth
    const std::size_t from = schema.find(indent + text_of(key) + ": ", begin - 1);
    EXPECT_LT(from, end) << "the schema has no " << key << " in " << of.name;
    if (from >= end) return schema;
    std::string kept = schema.substr(from, std::min(schema.find(indent + "\"", from + 1), end) - from);
    if (kept.back() == ',') kept.pop_back();
    text += kept.substr(indent.size());
  }
  return schema.replace(begin, end - begin, text);
}

TEST(Described, structs_are_in_the_schema) {
  std::string wanted = whole(path_of_doc("scene.schema.json"));
  const Made made = made_of_lists();
  for (const Definition& of : made.definitions) wanted = with_properties(std::move(wanted), of);
  expect_text(path_of_doc("scene.schema.json"), wanted);
}
TEST(Described, structs_are_in_the_tables_of_scene_files) {
  std::string wanted = whole(path_of_doc("scenes.md"));
  const Made made = made_of_lists();
  for (const Table& of : made.tables) wanted = with_table(std::move(wanted), "keys of " + of.name, of.text);
  expect_text(path_of_doc("scenes.md"), wanted);
}

TEST(Schema, has_the_keys_of_the_reader) {
  const nlohmann::json schema = read_schema();
  EXPECT_EQ(keys_in(schema), as_set(kRootKeys));
  const auto& defs = schema.at("$defs");
  const Made made = made_of_lists();
  for (const Definition& of : made.definitions) {
    SchemaKeys keys;
    for (const Entry& entry : of.entries) keys.insert(entry.first);
    EXPECT_EQ(keys_in(defs.at(of.name)), keys) << of.name;
    EXPECT_EQ(as_set(defs.at(of.name).value("required", nlohmann::json::array())), of.required) << of.name;
    // a joint's kind is looked at in another object than what all joints have
    if (!of.name.ends_with("joint") || of.name == "link_joint") {
      EXPECT_EQ(defs.at(of.name).at("additionalProperties"), false) << of.name;
    }
  }
  EXPECT_EQ(keys_in(defs.at("hull_shape")), as_set(kHullKeys));
  EXPECT_EQ(keys_in(defs.at("mesh_shape")), as_set(kMeshKeys));
  EXPECT_EQ(keys_in(defs.at("height_field_shape")), as_set(kHeightFieldKeys));
  EXPECT_EQ(keys_in(defs.at("articulation_start")), as_set(keys_of<ArticulationState>()));
  for (std::size_t k = 0; k < std::variant_size_v<JointKind>; ++k) {
    const std::string word(VariantWords<JointKind>::all[k]);
    EXPECT_EQ(defs.at("joint").at("properties").at("kind").at("enum").at(k), word);
    EXPECT_EQ(defs.at("joint").at("oneOf").at(k).at("$ref"), "#/$defs/" + word + "_joint");
    EXPECT_EQ(defs.at(word + "_joint").at("properties").at("kind").at("const"), word);
  }
  SchemaKeys keys = as_set(VariantWords<fields::Any>::all);
  keys.insert(kOnKeys.begin(), kOnKeys.end());
  EXPECT_EQ(keys_in(defs.at("field")), keys);
  for (std::size_t k = 0; k < std::variant_size_v<fields::Any>; ++k) {
    const std::string word(VariantWords<fields::Any>::all[k]);
    EXPECT_EQ(defs.at("field").at("oneOf").at(k).at("required").at(0), word);
    if (word == "springs") continue;
    EXPECT_EQ(defs.at("field").at("properties").at(word).at("$ref"), "#/$defs/" + word + "_law");
  }
  for (std::size_t k = 0; k < std::variant_size_v<Geometry>; ++k) {
    const std::string word(VariantWords<Geometry>::all[k]);
    EXPECT_EQ(defs.at("shape").at("oneOf").at(k).at("required").at(0), word);
    EXPECT_EQ(defs.at("shape").at("properties").at(word).at("$ref"), "#/$defs/" + word + "_shape");
  }
}

/// Keys, and words that a value may be.
void collect_words(const nlohmann::json& of, std::set<std::string>& words) {
  if (of.is_object()) {
    for (const auto& [name, value] : of.items()) {
      if (name == "properties") {
        for (const auto& [key, type] : value.items()) words.insert(key);
      } else if (name == "enum") {
        for (const auto& word : value) words.insert(word);
      } else if (name == "const" && value.is_string()) {
        words.insert(value);
      }
    }
  }
  if (!of.is_structured()) return;
  for (const auto& [name, value] : of.items()) collect_words(value, words);
}

TEST(Described, words_of_the_schema_are_in_the_dictionary_for_fuzzing) {
  std::set<std::string> words;
  collect_words(read_schema(), words);
  std::string text = "# the keys and words of docs/scene.schema.json (libFuzzer: -dict=)\n";
  for (const std::string& word : words) text += R"("\")" + word + R"(\"")" + "\n";
  expect_text(path_of_doc("../tests/fuzz/fuzz_scene.dict"), text);
}

TEST(Described, members_have_the_names_that_they_have) {
  EXPECT_EQ(name_of_member<&StepParams::dt>(), "dt");
  EXPECT_EQ(name_of_member<&Body::fixed_rotation>(), "fixed_rotation");
  EXPECT_EQ(name_of_member<&Filter::mask>(), "mask");
  EXPECT_EQ(name_of_member<&WorldLimits::lower>(), "lower");
}

}  // namespace
}  // namespace cairn::scene_file_test
