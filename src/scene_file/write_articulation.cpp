#include <algorithm>

#include "src/scene_file/articulation_fields.h"
#include "src/scene_file/write_text.h"

namespace cairn::scene_file {
namespace {

std::string frame_text(const JointFrame& frame) {
  Members members;
  if (!is_zero(frame.position)) members.add("position", list_of(frame.position));
  if (!is_identity(frame.orientation)) members.add("orientation_xyzw", list_of(frame.orientation));
  return members.empty() ? "" : members.end();
}

/// Empty where nothing is as it isn't in a joint left alone, bit for bit.
std::string link_joint_text(const ArticulationJoint& joint) {
  const ArticulationJoint without;
  Members numbers;
  numbers.add("kind", word_of(joint.kind, kLinkJointKinds));
  bool alone = joint.kind == without.kind;
  for (const auto& [key, member] : kLinkJointNumbers) {
    if (std::bit_cast<std::uint64_t>(joint.*member) == std::bit_cast<std::uint64_t>(without.*member)) continue;
    numbers.add(key, number_of(joint.*member));
    alone = false;
  }
  return alone ? "" : numbers.end();
}

std::string link_text(const ArticulationLink& link, const Articulation& articulation, const Scene& scene) {
  Members members;
  const auto add = [&](std::string_view key, const std::string& text) {
    if (!text.empty()) members.add(key, text);
  };
  members.add("name", text_of(link.name));
  if (link.parent != kWorldLink) members.add("parent", text_of(articulation.links[link.parent].name));
  add("joint", link_joint_text(link.joint));
  add("frame_in_parent", frame_text(link.frame_in_parent));
  add("frame_in_link", frame_text(link.frame_in_link));
  if (!is_zero(link.mass)) members.add("mass", number_of(link.mass));
  if (!is_zero(link.centre_of_mass)) members.add("centre_of_mass", list_of(link.centre_of_mass));
  if (!is_zero(link.inertia.moments) || !is_zero(link.inertia.products)) members.add("inertia", list_of(link.inertia));
  if (!link.shapes.empty()) members.add("shapes", shapes_text(link.shapes, scene));
  return members.end();
}

std::string reals_text(const std::vector<double>& values) {
  std::string out = "[";
  for (const double value : values) out += (out.size() > 1 ? ", " : "") + number_of(value);
  return out + "]";
}

std::string start_text(const ArticulationState& start) {
  Members members;
  members.add("q", reals_text(start.q));
  members.add("v", reals_text(start.v));
  return members.end();
}

}  // namespace

void append_articulations(std::string& out, const Scene& scene, std::size_t bodies) {
  std::size_t usual = bodies;  // where the next one's bodies stand if nothing is said
  append_list(out, "articulations", scene.articulations(), [&](const SceneArticulation& of) {
    const Articulation& articulation = of.description;
    // each has a body, and kNoLinkBody is above all indices
    const std::uint32_t first = *std::ranges::min_element(of.bodies);
    Members members;
    members.add("name", text_of(articulation.name));
    const Vec3d usual_gravity = Articulation{}.gravity, &g = articulation.gravity;
    using Bits = std::array<std::uint64_t, 3>;
    if (std::bit_cast<Bits>(g) != std::bit_cast<Bits>(usual_gravity)) members.add("gravity", list_of(g));
    std::size_t particles = 0;  // that stand before
    for (const SceneParticles& set : scene.particles()) {
      if (set.first_body < first) particles += set.description.positions.size();
    }
    // the reader takes what says nothing to stand behind all that says something
    if (first != usual + particles || !scene.particles().empty()) members.add("first_body", std::to_string(first));
    usual += of.bodies.size() - static_cast<std::size_t>(std::ranges::count(of.bodies, kNoLinkBody));
    std::string links = "[";
    for (const ArticulationLink& link : articulation.links) {
      links += (links.size() > 1 ? ",\n      " : "\n      ") + link_text(link, articulation, scene);
    }
    members.add("links", links + "]");
    members.add("start", start_text(of.start));
    return members.end();
  });
}

}  // namespace cairn::scene_file
