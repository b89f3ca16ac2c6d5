// docs/scene.schema.json and the tables of docs/scenes.md have of each described struct what its list has.
// CAIRN_DOCS=write puts it there.

#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "src/describe/attributes.h"
#include "src/scene/check_attributes.h"
#include "src/scene_file/write_attributes.h"
#include "tests/scene_file/schema.h"

namespace cairn {
namespace {

using namespace scene_file;  // NOLINT

std::string path_of(const std::string& name) { return std::string(CAIRN_SOURCE_DIR) + "/docs/" + name; }

std::string whole(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool is_writing() {
  const char* mode = std::getenv("CAIRN_DOCS");
  return mode != nullptr && std::string(mode) == "write";
}

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
    return R"("$ref": "#/$defs/name")";
  } else if constexpr (std::same_as<V, bool>) {
    return R"("type": "boolean")";
  } else if constexpr (std::same_as<V, Quat>) {
    return R"("$ref": "#/$defs/quaternion")";
  } else if constexpr (std::same_as<V, Vec3> || std::same_as<V, Vec3d>) {
    return R"("type": "array", "minItems": 3, "maxItems": 3, "items": {)" + bounds(info.range) + "}";
  } else if constexpr (std::same_as<V, std::uint32_t>) {
    return R"("type": "integer", "minimum": 0, "maximum": 4294967295)";
  } else if constexpr (std::integral<V>) {
    if (info.range.max > std::numeric_limits<int>::max())
      return R"("type": "integer", "minimum": -2147483647, "maximum": 2147483647)";
    return std::regex_replace(bounds(info.range), std::regex("number"), "integer");
  } else if (info.range.zero != nullptr) {
    return R"("anyOf": [{)" + bounds(info.range) + R"(}, {"const": 0}])";
  } else {
    return bounds(info.range);
  }
}

/// Lines of a struct's keys in the schema, each with its key.
template <Described T>
std::vector<std::pair<std::string, std::string>> schema_lines() {
  std::vector<std::pair<std::string, std::string>> lines;
  const T defaults;
  each_plain_attribute<T>([&](const auto& attribute) {
    using M = typename std::remove_cvref_t<decltype(attribute)>::Type;
    using V = HeldOf<decltype(attribute)>;
    const std::string key = text_of(attribute.key());
    std::string line = key + ": {" + schema_type<V>(attribute.info);
    if constexpr (Plain<M>) {
      if (!attribute.info.required) line += R"(, "default": )" + text_of_value(defaults.*attribute.member);
    }
    constexpr bool kMeasured = !Worded<V> && !std::same_as<V, bool> && !std::same_as<V, std::string>;
    const std::string text = description(attribute.info, kMeasured);
    if (text != R"("")") line += R"(, "description": )" + text;
    lines.emplace_back(key, line + "}");
  });
  return lines;
}

/// "docs/direct.md#more-passes" as a link from the page beside it.
std::string linked(const std::string& meaning) {
  static const std::regex kPage(R"(docs/(\w+\.md)(#[\w-]+)?)");
  return std::regex_replace(meaning, kPage, "[$1]($1$2)");
}

template <Described T>
std::string table() {
  std::string text = "| key | unit | range | default | meaning |\n|---|---|---|---|---|\n";
  const T defaults;
  each_attribute<T>([&](const auto& attribute) {
    using M = typename std::remove_cvref_t<decltype(attribute)>::Type;
    using V = HeldOf<decltype(attribute)>;
    constexpr bool kNumber = Plain<V> && !Worded<V> && !std::same_as<V, bool> && !std::same_as<V, std::string>;
    std::string range;
    if constexpr (Worded<V>) {
      for (const auto& word : EnumWords<V>::all) range += (range.empty() ? "`" : ", `") + std::string(word.first) + "`";
    } else if constexpr (std::same_as<V, bool>) {
      range = "`true` or `false`";
    } else if constexpr (kNumber) {
      range = rules::range_text(attribute.info.range);
      if (attribute.info.range.zero != nullptr) range += std::string(", or 0 ") + attribute.info.range.zero;
    }
    std::string initial = attribute.info.required ? "required" : "none";
    if constexpr (Plain<M>) {
      if (!attribute.info.required) initial = text_of_value(defaults.*attribute.member);
      std::erase(initial, '"');
    }
    text += "| `" + std::string(attribute.key()) + "` | " +
            (kNumber || *attribute.info.unit != '1' ? attribute.info.unit : "") + " | " + range + " | " + initial +
            " | " + linked(attribute.info.meaning) + " |\n";
  });
  return text;
}

struct Struct {
  const char* name;  ///< in "$defs", and in the mark above its table
  std::vector<std::pair<std::string, std::string>> lines;
  std::string table;
};
template <Described T>
Struct described(const char* name) {
  return {name, schema_lines<T>(), table<T>()};
}
std::vector<Struct> structs() {
  return {described<Material>("material"), described<Body>("body"), described<Filter>("filter"),
          described<Limits>("limits"), described<StepParams>("solver")};
}

/// The schema's text with these lines in the place of what it has of the same keys.
std::string with_lines(std::string schema, const Struct& of) {
  const std::size_t begin = schema.find("\n    \"" + std::string(of.name) + "\": {", schema.find("\"$defs\""));
  const std::size_t end = schema.find("\n    }", begin);
  EXPECT_NE(end, std::string::npos) << of.name;
  std::string block = schema.substr(begin, end - begin);
  const std::string indent = "\n        ";
  for (const auto& [key, line] : of.lines) {
    const std::size_t at = block.find(indent + key + ": ");
    EXPECT_NE(at, std::string::npos) << "the schema has no " << key << " in " << of.name;
    if (at == std::string::npos) continue;
    // up to the next key at this depth, or the brace that ends them
    const std::size_t next = std::min(block.find(indent + "\"", at + 1), block.find("\n      }", at + 1));
    const bool last = block.compare(next, indent.size(), indent) != 0;
    block.replace(at, next - at, indent + line + (last ? "" : ","));
  }
  return schema.replace(begin, end - begin, block);
}

/// The page's text with this table behind the struct's mark.
std::string with_table(std::string page, const Struct& of) {
  const std::string mark = "<!-- keys of " + std::string(of.name) + ", made from its list -->\n";
  const std::size_t at = page.find(mark);
  EXPECT_NE(at, std::string::npos) << "docs/scenes.md has no " << mark;
  if (at == std::string::npos) return page;
  const std::size_t begin = at + mark.size(), end = page.find("\n\n", begin) + 1;
  return page.replace(begin, end - begin, of.table);
}

void expect_text(const std::string& path, const std::string& wanted) {
  const bool same = whole(path) == wanted;
  if (is_writing()) std::ofstream(path) << wanted;
  EXPECT_TRUE(is_writing() || same) << path << " isn't what it is made from; CAIRN_DOCS=write writes it";
}
void expect_current(const std::string& name, std::string (*with)(std::string, const Struct&)) {
  std::string wanted = whole(path_of(name));
  for (const Struct& of : structs()) wanted = with(std::move(wanted), of);
  expect_text(path_of(name), wanted);
}

TEST(Described, structs_are_in_the_schema) { expect_current("scene.schema.json", with_lines); }
TEST(Described, structs_are_in_the_tables_of_scene_files) { expect_current("scenes.md", with_table); }

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
  expect_text(path_of("../tests/fuzz/fuzz_scene.dict"), text);
}

TEST(Described, members_have_the_names_that_they_have) {
  EXPECT_EQ(name_of_member<&StepParams::dt>(), "dt");
  EXPECT_EQ(name_of_member<&Body::fixed_rotation>(), "fixed_rotation");
  EXPECT_EQ(name_of_member<&Filter::mask>(), "mask");
  EXPECT_EQ(name_of_member<&Limits::lower>(), "lower");
}

}  // namespace
}  // namespace cairn
