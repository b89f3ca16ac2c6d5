// Force fields from JSON values.

#include <utility>

#include "src/scene/field_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/law_fields.h"

namespace cairn::scene_file {
namespace {

/// Reads what is there of an object.
struct MemberReader {
  const Fields& fields;

  void operator()(std::string_view key, double& value) const { fields.read(key, read_double, value); }
  void operator()(std::string_view key, Vec3d& value) const { fields.read(key, read_vec3d, value); }
  void operator()(std::string_view key, std::uint32_t& value) const { fields.read(key, read_bits, value); }
};

template <std::size_t k = 0>
fields::Any read_law(std::size_t index, const Node& node, const Path& path) {
  if constexpr (k == kLawKeys.size()) {
    return {};
  } else {
    if (index != k) return read_law<k + 1>(index, node, path);
    std::variant_alternative_t<k, fields::Any> law;
    if constexpr (std::same_as<decltype(law), fields::Springs>) {
      require_kind(node, Kind::kArray, path);
    } else {
      each_field(MemberReader{Fields(node, keys_of(law), path)}, law);
    }
    return law;
  }
}

std::optional<std::vector<std::string>> read_names(const Fields& fields, std::string_view key, const Path& path) {
  const Node* node = fields.find(key);
  if (node == nullptr) return std::nullopt;
  require_kind(*node, Kind::kArray, Path(path, key));
  return std::move(node->list->names);
}

/// Puts together the list of a field.
class BodyList {
 public:
  explicit BodyList(const Scene& scene) : scene_(scene), place_(rules::field_place_in(scene)) {}

  void body(const std::string& name, const Path& at) {
    const auto found = scene_.find_body(name);
    if (!found) fail(at, "no body is named " + in_quotes(name));
    add(*found, at);
  }
  void set(const std::string& name, const Path& at) {
    const auto found = scene_.find_particles(name);
    if (!found) fail(at, "no particles are named " + in_quotes(name));
    const SceneParticles& set = scene_.particles()[*found];
    for (std::uint32_t i = 0; i < set.description.positions.size(); ++i) add(set.first_body + i, at);
  }
  std::vector<std::uint32_t> take() { return std::move(bodies_); }

 private:
  void add(std::uint32_t index, const Path& at) {
    if (taken_.empty()) taken_.resize(scene_.bodies().size(), false);
    if (taken_[index]) fail(at, in_quotes(scene_.bodies()[index].name) + " is there already");
    if (const auto fault = rules::fault_of_body(index, place_, true)) fail(at, *fault);
    taken_[index] = true;
    bodies_.push_back(index);
  }

  const Scene& scene_;
  rules::FieldPlace place_;
  std::vector<bool> taken_;
  std::vector<std::uint32_t> bodies_;
};

}  // namespace

void Decoder::spring(const Node& node, const Path& path) {
  count(5, path);
  const Fields fields(node, kSpringKeys, path);
  fields::Spring made;
  each_field(MemberReader{fields}, made);
  springs_.springs.push_back(made);
  spring_ends_.push_back({read_string(fields.require("a"), Path(path, "a")),
                          read_string(fields.require("b"), Path(path, "b"))});
}

void Decoder::field(const Node& node, const Path& path) {
  if (fields_.size() >= rules::kMostFields) {
    fail(Path(root_, "fields"), "more than " + std::to_string(rules::kMostFields) + " fields");
  }
  const Fields fields(node, kFieldKeys, path);
  NamedField named;
  std::size_t laws = 0;
  for (std::size_t k = 0; k < kLawKeys.size(); ++k) {
    const Node* law = fields.find(kLawKeys[k]);
    if (law == nullptr) continue;
    ++laws;
    named.law = read_law(k, *law, Path(path, kLawKeys[k]));
  }
  if (laws != 1) {
    std::string all;
    for (const std::string_view key : kLawKeys) all += (all.empty() ? "" : ", ") + std::string(key);
    fail(path, "must have one of " + all + ", has " + std::to_string(laws));
  }
  if (std::holds_alternative<fields::Springs>(named.law)) {
    named.law = std::exchange(springs_, {});
    named.ends = std::exchange(spring_ends_, {});
  }
  named.bodies = read_names(fields, "bodies", path);
  named.particles = read_names(fields, "particles", path);
  fields_.push_back(std::move(named));
}

void Decoder::add_fields(Scene& scene) {
  const Path list(root_, "fields");
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    const Path path(list, k), springs(path, "springs"), bodies(path, "bodies"), particles(path, "particles");
    NamedField& named = fields_[k];
    SceneField made{std::move(named.law), {}};
    const std::string_view key = kLawKeys[made.law.index()];
    if (auto* held = std::get_if<fields::Springs>(&made.law)) {
      for (std::size_t i = 0; i < named.ends.size(); ++i) {
        const Path spring(springs, i);
        const std::array<std::pair<std::string_view, std::uint32_t*>, 2> ends{
            {{"a", &held->springs[i].a}, {"b", &held->springs[i].b}}};
        for (std::size_t e = 0; e < ends.size(); ++e) {
          const auto found = scene.find_body(named.ends[i][e]);
          if (!found) fail(Path(spring, ends[e].first), "no body is named " + in_quotes(named.ends[i][e]));
          *ends[e].second = *found;
        }
      }
      for (const auto& [names, at] : {std::pair{&named.bodies, &bodies}, std::pair{&named.particles, &particles}}) {
        if (*names) fail(*at, "must be left out of springs, whose ends tell what they act on");
      }
    }
    if (named.bodies || named.particles) {
      BodyList on(scene);
      for (std::size_t i = 0; named.bodies && i < named.bodies->size(); ++i) {
        on.body((*named.bodies)[i], Path(bodies, i));
      }
      for (std::size_t i = 0; named.particles && i < named.particles->size(); ++i) {
        on.set((*named.particles)[i], Path(particles, i));
      }
      made.bodies = on.take();
    }
    made = rules::sorted(std::move(made));
    if (const auto fault = rules::find_fault(made, rules::field_place_in(scene))) {
      // the pointer of springs begins with their key
      refuse(std::holds_alternative<fields::Springs>(made.law) ? path : Path(path, key), *fault);
    }
    scene.add_field(std::move(made));
  }
}

}  // namespace cairn::scene_file
