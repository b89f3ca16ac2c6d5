// Articulations from JSON values.

#include <algorithm>
#include <limits>
#include <utility>

#include "src/articulations/compile_articulation.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {
namespace {

/// Number of pairs of links with shapes that will ignore each other by rule; known before any pair is made.
std::uint64_t count_pairs(const Articulation& articulation) {
  const CompiledArticulation made = compile(articulation);
  // links that can't move are on the world, which comes last
  std::vector<std::uint64_t> on(made.nodes.size() + 1, 0);
  const auto links_on = [&](std::uint32_t node) -> std::uint64_t& {
    return on[std::min<std::size_t>(node, on.size() - 1)];
  };
  for (std::size_t i = 0; i < made.links.size(); ++i) {
    if (!articulation.links[i].shapes.empty()) ++links_on(made.links[i].node);
  }
  std::uint64_t pairs = 0;
  for (const std::uint64_t links : on) pairs += links * (links - 1) / 2;
  for (std::size_t n = 0; n < made.nodes.size(); ++n) pairs += on[n] * links_on(made.nodes[n].parent);
  return pairs;
}

/// A link's body, as far as the rules of its shapes need it.
Body body_of(const Articulation& articulation, std::size_t link) {
  bool moves = false;
  for (std::size_t i = link;; i = articulation.links[i].parent) {
    moves = moves || articulation.links[i].joint.kind != ArticulationJointKind::kFixed;
    if (articulation.links[i].parent == kWorldLink) break;
  }
  const ArticulationLink& of = articulation.links[link];
  Body body{.name = articulation.name + "/" + of.name, .type = moves ? BodyType::kDynamic : BodyType::kStatic};
  if (moves) body.mass = 1.0f;
  body.shapes = of.shapes;
  return body;
}

/// The rest of a message after a thing's name, if the message is about that thing.
std::optional<std::string> after(const std::string& message, const std::string& name) {
  if (!message.starts_with(name)) return std::nullopt;
  const std::string rest = message.substr(name.size());
  if (!rest.starts_with(":") && !rest.starts_with(",") && !rest.starts_with(" (number ")) return std::nullopt;
  return rest;
}

/// Throws the scene's message on an articulation, at the link that it names.
[[noreturn]] void refuse_articulation(const Scene& scene, const Articulation& articulation, const std::string& message,
                                      const Path& path) {
  const std::string whole = "articulation \"" + articulation.name + "\"";
  const std::string shown = "articulation " + in_quotes(articulation.name);
  const Path links(path, "links");
  for (std::size_t i = 0; i < articulation.links.size(); ++i) {
    const ArticulationLink& link = articulation.links[i];
    const Path at(links, i);
    const std::string name = shown + ", link " + in_quotes(link.name);
    if (const auto rest = after(message, whole + ", link \"" + link.name + "\"")) fail(at, name + *rest);
    if (const auto rest = after(message, "body \"" + articulation.name + "/" + link.name + "\"")) {
      const Body body = body_of(articulation, i);
      if (const auto first = scene.find_body(body.name)) {
        fail(Path(at, "name"), "the link's body must have a name of its own, " + place_of_body(scene, *first) +
                                   " has it too: " + in_quotes(body.name));
      }
      const auto fault = rules::find_fault(body, scene.materials());
      if (fault && fault->pointer.starts_with("/shapes")) refuse(at, *fault);
      fail(at, name + *rest);
    }
  }
  const Path couplings(path, "couplings");
  for (std::size_t i = 0; i < articulation.couplings.size(); ++i) {
    const std::string& name = articulation.couplings[i].name;
    const std::string number = " (number " + std::to_string(i) + ")";
    if (const auto rest = after(message, whole + ", coupling \"" + name + "\"" + number)) {
      fail(Path(couplings, i), shown + ", coupling " + in_quotes(name) + *rest);
    }
  }
  const std::string rest = message.starts_with(whole) ? message.substr(whole.size()) : ": " + message;
  if (rest.starts_with(": links ")) fail(links, shown + rest);
  const Path start(path, "start");
  if (rest.starts_with(": coordinates ")) fail(Path(start, "q"), shown + rest);
  if (rest.starts_with(": rates ")) fail(Path(start, "v"), shown + rest);
  fail(path, shown + rest);
}

}  // namespace

void Decoder::link(const Node& node, const Path& path) {
  cap(++link_count_, limits_.links, "links in all", Path(root_, "articulations"));
  const Fields fields(node, keys_of<ArticulationLink>(), path);
  ArticulationLink link;
  const auto read_parent = [&](const Attribute<&ArticulationLink::parent>& a) {
    const Node* parent = fields.find(a.key());
    if (parent == nullptr) return;
    const Path at(path, a.key());
    const auto found = link_of_.find(read_string(*parent, at));
    if (found == link_of_.end()) fail(at, "no link before this one is named " + in_quotes(parent->text));
    link.parent = found->second;
  };
  const auto read_inertia = [&](const Attribute<&ArticulationLink::inertia>& a) {
    const Node* given = fields.find(a.key());
    if (given == nullptr) return;
    const Path at(path, a.key());
    link.inertia = inertia(*given, at);
    if (options_.repairs != nullptr) repair(link.inertia, at);
  };
  const auto take_shapes = [&](const Attribute<&ArticulationLink::shapes>& a) { take_read(fields, a, shapes_, link); };
  read_attributes(fields, path, link, Overloads{read_parent, read_inertia, take_shapes});
  if (const auto [first, added] = link_of_.try_emplace(link.name, static_cast<std::uint32_t>(links_.size())); !added)
    refuse_name(path, link.name, "link " + std::to_string(first->second));
  links_.push_back(std::move(link));
}

void Decoder::term(const Node& node, const Path& path) {
  cap(terms_.size() + 1, kMaxTerms, "terms", path);
  const Fields fields(node, keys_of<CouplingTerm>(), path);
  NamedTerm named;
  read_attributes(fields, path, named.term,
                  [&](const Attribute<&CouplingTerm::link>& a) { fields.read(a.key(), read_string, named.link); });
  terms_.push_back(std::move(named));
}

void Decoder::coupling(const Node& node, const Path& path) {
  cap(couplings_.size() + 1, kMaxCouplings, "couplings", path);
  const Fields fields(node, keys_of<ArticulationCoupling>(), path);
  NamedCoupling named;
  read_attributes(fields, path, named.coupling, [&](const Attribute<&ArticulationCoupling::terms>& a) {
    fields.require_list(a.key());
    named.terms = std::exchange(terms_, {});
  });
  couplings_.push_back(std::move(named));
}

std::vector<ArticulationCoupling> Decoder::take_couplings(const Path& list) {
  std::vector<ArticulationCoupling> taken;
  for (std::size_t i = 0; i < couplings_.size(); ++i) {
    NamedCoupling& named = couplings_[i];
    const Path path(list, i), terms(path, "terms");
    for (std::size_t t = 0; t < named.terms.size(); ++t) {
      const auto found = link_of_.find(named.terms[t].link);
      if (found == link_of_.end()) {
        const Path at(terms, t);
        fail(Path(at, "link"), "no link is named " + in_quotes(named.terms[t].link));
      }
      named.terms[t].term.link = found->second;
      named.coupling.terms.push_back(named.terms[t].term);
    }
    taken.push_back(std::move(named.coupling));
  }
  couplings_.clear();
  return taken;
}

void Decoder::articulation(const Node& node, const Path& path) {
  static const auto kKeys = keys_with<Articulation>(kFirstBody, kStart);
  const Fields fields(node, kKeys, path);
  PlacedArticulation placed;
  const auto take_links = [&](const Attribute<&Articulation::links>& a) {
    take_read(fields, a, links_, placed.articulation);
    if (placed.articulation.links.empty()) fail(Path(path, a.key()), "must have at least one link");
  };
  const auto take_couplings = [&](const Attribute<&Articulation::couplings>& a) {
    fields.require_list(a.key());
    placed.articulation.couplings = this->take_couplings(Path(path, a.key()));
  };
  read_attributes(fields, path, placed.articulation, Overloads{take_links, take_couplings});
  link_of_.clear();
  fields.read("first_body", read_bits, placed.first_body);
  fields.read("start", read_described<ArticulationState>, placed.start);
  articulations_.push_back(std::move(placed));
}

void Decoder::add_articulation(Scene& scene, const std::vector<std::uint32_t>& material_of_use, std::size_t k) {
  const Path list(root_, "articulations"), path(list, k);
  // the last use of the parsed data
  PlacedArticulation placed = std::move(articulations_[k]);
  Articulation& articulation = placed.articulation;
  for (ArticulationLink& link : articulation.links) {
    for (Shape& shape : link.shapes) shape.material = material_of_use[shape.material];
  }
  if (const auto first = scene.find_articulation(articulation.name))
    refuse_name(path, articulation.name, "/articulations/" + std::to_string(*first));
  pair_count_ += count_pairs(articulation);
  cap(pair_count_, limits_.ignored, "pairs of bodies ignore each other", Path(path, "links"));
  add_bodies_before(scene, material_of_use, placed.first_body, path);
  try {
    scene.add_articulation(articulation, placed.start);
  } catch (const InvalidArgument& error) {
    refuse_articulation(scene, articulation, error.what(), path);
  }
  for (const std::uint32_t body : scene.articulations().back().bodies) other_bodies_ += body != kNoLinkBody ? 1 : 0;
}

void Decoder::add_bodies_before(Scene& scene, const std::vector<std::uint32_t>& material_of_use,
                                const std::optional<std::uint32_t>& first_body, const Path& path) {
  const std::size_t fewest = scene.bodies().size(), most = other_bodies_ + bodies_.size();
  const std::size_t first = first_body.value_or(most);
  if (first < fewest || first > most) {
    fail(Path(path, "first_body"), "must be between " + std::to_string(fewest) + " and " + std::to_string(most) +
                                       ", how many bodies may stand before, is " + std::to_string(first));
  }
  add_bodies(scene, material_of_use, first - other_bodies_);
}

void Decoder::add_placed(Scene& scene, const std::vector<std::uint32_t>& material_of_use) {
  std::size_t next = 0;
  const auto place = [](const auto& placed) {
    return placed.first_body ? std::uint64_t{*placed.first_body} : std::numeric_limits<std::uint64_t>::max();
  };
  for (std::size_t k = 0; k < articulations_.size(); ++k) {
    for (; next < particles_.size() && place(particles_[next]) < place(articulations_[k]); ++next) {
      add_particles(scene, material_of_use, next);
    }
    add_articulation(scene, material_of_use, k);
  }
  for (; next < particles_.size(); ++next) add_particles(scene, material_of_use, next);
}

std::string place_of_body(const Scene& scene, std::uint32_t body) {
  std::uint32_t before = 0;
  for (std::size_t k = 0; k < scene.particles().size(); ++k) {
    const SceneParticles& of = scene.particles()[k];
    const auto count = static_cast<std::uint32_t>(of.description.positions.size());
    if (body >= of.first_body && body - of.first_body < count) {
      return "/particles/" + std::to_string(k) + "/positions/" + std::to_string(body - of.first_body);
    }
    before += of.first_body < body ? count : 0;
  }
  for (std::size_t k = 0; k < scene.articulations().size(); ++k) {
    const std::vector<std::uint32_t>& links = scene.articulations()[k].bodies;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i] == body) return "/articulations/" + std::to_string(k) + "/links/" + std::to_string(i);
      before += links[i] < body ? 1 : 0;
    }
  }
  return "/bodies/" + std::to_string(body - before);
}

}  // namespace cairn::scene_file
