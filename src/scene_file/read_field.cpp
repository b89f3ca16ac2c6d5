// Force fields from JSON values.

#include <utility>

#include "src/scene/field_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {
namespace {

fields::Any read_law(std::size_t index, const Node& node, const Path& path) {
  const Overloads read{[&]<class Law>(const Law&) -> fields::Any { return read_described<Law>(node, path); },
                       [&](const fields::Springs& springs) -> fields::Any {
                         require_kind(node, Kind::kArray, path);
                         return springs;
                       }};
  return std::visit(read, make_type<fields::Any>(index));
}

/// Builds the body list of a field.
class BodyList {
 public:
  explicit BodyList(const Scene& scene) : scene_(scene), place_(rules::field_place_in(scene)) {}

  void body(const std::string& name, const Path& at) { add(require_body(scene_, name, at), at); }
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
    if (taken_[index]) fail(at, in_quotes(rules::reference_to(scene_.bodies(), index)) + " is there already");
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
  const Fields fields(node, keys_of<fields::Spring>(), path);
  std::array<std::string, 2> ends;
  fields::Spring& made = springs_.springs.emplace_back();
  read_attributes(fields, path, made,
                  Overloads{[&](const Attribute<&fields::Spring::a>&) { fields.read("a", read_string, ends[0]); },
                            [&](const Attribute<&fields::Spring::b>&) { fields.read("b", read_string, ends[1]); }});
  spring_ends_.push_back(std::move(ends));
}

void Decoder::field(const Node& node, const Path& path) {
  cap(fields_.size() + 1, rules::kMaxFields, "fields", Path(root_, "fields"));
  constexpr auto& kWords = VariantWords<fields::Any>::all;
  static const auto kKeys = [] {
    std::vector<std::string_view> keys(kWords.begin(), kWords.end());
    keys.insert(keys.end(), kOnKeys.begin(), kOnKeys.end());
    return keys;
  }();
  const Fields fields(node, kKeys, path);
  NamedField named;
  const std::size_t law = only_one_of(fields, kWords, path);
  named.law = read_law(law, fields.require(kWords[law]), Path(path, kWords[law]));
  if (std::holds_alternative<fields::Springs>(named.law)) {
    named.law = std::exchange(springs_, {});
    named.ends = std::exchange(spring_ends_, {});
  }
  fields.read("bodies", take_list<std::string>, named.bodies);
  fields.read("particles", take_list<std::string>, named.particles);
  fields_.push_back(std::move(named));
}

void Decoder::add_fields(Scene& scene) {
  const Path list(root_, "fields");
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    const Path path(list, k), springs(path, "springs"), bodies(path, "bodies"), particles(path, "particles");
    NamedField& named = fields_[k];
    SceneField made{std::move(named.law), {}};
    const std::string_view key = VariantWords<fields::Any>::all[made.law.index()];
    if (auto* held = std::get_if<fields::Springs>(&made.law)) {
      for (std::size_t i = 0; i < named.ends.size(); ++i) {
        const Path spring(springs, i);
        held->springs[i].a = require_body(scene, named.ends[i][0], Path(spring, "a"));
        held->springs[i].b = require_body(scene, named.ends[i][1], Path(spring, "b"));
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
