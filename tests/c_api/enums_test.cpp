// The values of an enum in C are those of C++, in the same order.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "cairn/articulation.h"
#include "cairn/device_arrays.h"
#include "cairn/fields.h"
#include "cairn/joint.h"
#include "cairn/particle_set.h"
#include "cairn/random.h"
#include "cairn/sensor_set.h"
#include "cairn/track.h"
#include "tests/c_api/c_api.h"
#include "tests/support/docs.h"

namespace cairn::c_api_test {
namespace {

/// A value of an enum.
struct Value {
  std::string name, number;
};

/// The values of each enum, in their order. The count of an enum has no number, and isn't among them.
std::map<std::string, std::vector<Value>> enums_in_c() {
  std::map<std::string, std::vector<Value>> enums;
  for (const auto& header : std::filesystem::directory_iterator(CAIRN_SOURCE_DIR "/include/cairn/c")) {
    const std::string text = std::regex_replace(testing_support::whole(header.path()), std::regex("//[^\n]*"), "");
    const std::regex of_enum("typedef enum (cairn_[a-z_]+) \\{([^}]*)\\}"),
        of_value("(CAIRN_[A-Z0-9_]+)( = ([0-9]+))?");
    for (std::sregex_iterator at(text.begin(), text.end(), of_enum), end; at != end; ++at) {
      const std::string values = (*at)[2];
      std::vector<Value>& of = enums[(*at)[1]];
      for (std::sregex_iterator v(values.begin(), values.end(), of_value); v != end; ++v) {
        if ((*v)[3].matched) of.push_back({(*v)[1], (*v)[3]});
      }
    }
  }
  return enums;
}

template <class Words>
std::vector<std::string> list(const Words& words) {
  return {words.begin(), words.end()};
}

TEST(Enums, of_c_have_the_values_of_those_of_cpp) {
  std::vector<std::string> elements, modes = list(EnumWords<JointAxis::Mode>::names);
  for (const ElementType type :
       {ElementType::kUint8, ElementType::kUint32, ElementType::kUint64, ElementType::kFloat32, ElementType::kFloat64})
    elements.emplace_back(element_name(type));
  modes.insert(modes.begin(), "of_kind");
  const std::map<std::string, std::vector<std::string>> wanted{
      {"cairn_interpolation", list(EnumWords<Interpolation>::names)},
      {"cairn_element", elements},
      {"cairn_written", list(EnumWords<Written>::names)},
      {"cairn_link_joint", list(EnumWords<ArticulationJointKind>::names)},
      {"cairn_body_type", list(EnumWords<BodyType>::names)},
      {"cairn_field_kind", list(VariantWords<fields::Any>::all)},
      {"cairn_joint_kind", list(VariantWords<JointKind>::all)},
      {"cairn_joint_dof", list(EnumWords<JointDof>::names)},
      {"cairn_axis_mode", modes},
      {"cairn_solver", list(EnumWords<SolverKind>::names)},
      {"cairn_sweep", list(EnumWords<SweepKind>::names)},
      {"cairn_mix", list(EnumWords<MixRule>::names)},
      {"cairn_constraint_kind", list(EnumWords<ConstraintKind>::names)},
      {"cairn_velocity_axes", list(EnumWords<VelocityAxes>::names)},
      {"cairn_ray_axes", list(EnumWords<RayAxes>::names)},
      {"cairn_shape_kind", list(VariantWords<Geometry>::all)}};
  // of C alone, or each value is asserted where it is converted
  const std::set<std::string> others{"cairn_result", "cairn_contact_event_kind", "cairn_query_kind",
                                     "cairn_random_stream", "cairn_on_overflow"};
  const auto found = enums_in_c();
  for (const auto& [name, words] : wanted) EXPECT_TRUE(found.contains(name)) << name;
  for (const std::string& name : others) EXPECT_TRUE(found.contains(name)) << name;
  for (const auto& [name, values] : found) {
    if (others.contains(name)) continue;
    const auto words = wanted.find(name);
    ASSERT_NE(words, wanted.end()) << name;
    ASSERT_EQ(values.size(), words->second.size()) << name;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::string word = words->second[i];
      std::ranges::transform(word, word.begin(), [](unsigned char c) { return char(std::toupper(c)); });
      EXPECT_EQ(values[i].number, std::to_string(i)) << values[i].name;
      EXPECT_TRUE(std::regex_search(values[i].name, std::regex("_" + word + "(_|$)")))
          << values[i].name << ", in C++ " << word;
    }
  }
}

}  // namespace
}  // namespace cairn::c_api_test
