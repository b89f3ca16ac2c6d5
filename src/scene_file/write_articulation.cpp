#include <algorithm>

#include "src/scene_file/write_attributes.h"

namespace cairn::scene_file {
namespace {

std::string link_text(const ArticulationLink& link, const Articulation& articulation, const Scene& scene) {
  Members members;
  using L = ArticulationLink;
  add_attributes(members, link,
                 Overloads{[&](const Attribute<&L::parent>& a) {
                             if (link.parent != kWorldLink)
                               members.add(a.key(), text_of(articulation.links[link.parent].name));
                           },
                           [&](const Attribute<&L::inertia>& a) {
                             const Inertia& i = link.inertia;
                             if (!same_bits(i, Inertia{})) members.add(a.key(), list_of(i));
                           },
                           [&](const Attribute<&L::shapes>& a) {
                             if (!link.shapes.empty()) members.add(a.key(), shapes_text(link.shapes, scene));
                           }});
  return members.end();
}

std::string coupling_text(const ArticulationCoupling& coupling, const Articulation& articulation) {
  Members members;
  add_attributes(members, coupling, [&](const Attribute<&ArticulationCoupling::terms>& a) {
    const auto term_text = [&](const CouplingTerm& term) {
      Members one;
      add_attributes(one, term, [&](const Attribute<&CouplingTerm::link>& link) {
        one.add(link.key(), text_of(articulation.links[term.link].name));
      });
      return one.end();
    };
    members.add(a.key(), array_of(coupling.terms, term_text));
  });
  return members.end();
}

}  // namespace

void append_articulations(std::string& out, const Scene& scene, std::size_t bodies) {
  std::size_t usual = bodies;  // default first body of the next one
  append_list(out, "articulations", scene.articulations(), [&](const SceneArticulation& of) {
    const Articulation& articulation = of.description;
    // each has a body, and kNoLinkBody is above all indices
    const std::uint32_t first = *std::ranges::min_element(of.bodies);
    Members members;
    std::size_t particles = 0;  // before it
    for (const SceneParticles& set : scene.particles()) {
      if (set.first_body < first) particles += set.description.positions.size();
    }
    // the reader puts articulations without first_body after all that have one
    if (first != usual + particles || !scene.particles().empty()) members.add("first_body", std::to_string(first));
    usual += of.bodies.size() - static_cast<std::size_t>(std::ranges::count(of.bodies, kNoLinkBody));
    const auto text_of_link = [&](const ArticulationLink& link) { return link_text(link, articulation, scene); };
    const auto text_of_coupling = [&](const ArticulationCoupling& one) { return coupling_text(one, articulation); };
    const auto add_list = [&](const auto& a, const auto& text) {
      const auto& list = articulation.*a.member;
      if (!list.empty()) members.add(a.key(), array_of(list, text, "\n      "));
    };
    add_attributes(members, articulation,
                   Overloads{[&](const Attribute<&Articulation::links>& a) { add_list(a, text_of_link); },
                             [&](const Attribute<&Articulation::couplings>& a) { add_list(a, text_of_coupling); }});
    members.add("start", described_text(of.start));
    return members.end();
  });
}

}  // namespace cairn::scene_file
