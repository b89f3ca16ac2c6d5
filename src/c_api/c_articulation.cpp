// Articulations of scenes and worlds.

#include "cairn/world_articulations.h"
#include "src/articulations/compile_articulation.h"
#include "src/c_api/describe.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {
namespace {

static_assert(int{CAIRN_LINK_FREE} == static_cast<int>(ArticulationJointKind::kFree));
static_assert(CAIRN_WORLD_LINK == kWorldLink);

ArticulationHandle articulation_of(cairn_handle h) { return {h.index, h.generation}; }

ArticulationLink link_of(const cairn_link& c) {
  ArticulationLink link = attributes_of<ArticulationLink>(c);
  take(link.joint, c, "cairn_link");
  link.frame_in_parent = {vec3(c.position_in_parent), quat(c.orientation_in_parent)};
  link.frame_in_link = {vec3(c.position_in_link), quat(c.orientation_in_link)};
  link.inertia = {vec3(c.inertia), vec3(c.inertia_products)};
  link.shapes = shapes_of(c.shapes, c.shape_count, "cairn_link.shapes");
  take_color(link, c);
  return link;
}

ArticulationCoupling coupling_of(const cairn_coupling& c) {
  ArticulationCoupling coupling = attributes_of<ArticulationCoupling>(c);
  each_of<cairn_coupling_term>(c.terms, c.term_count, "cairn_coupling.terms", [&](const cairn_coupling_term& term) {
    coupling.terms.push_back({term.link, term.coefficient});
  });
  return coupling;
}

Articulation articulation_of(const cairn_articulation* given) {
  const cairn_articulation c = read<cairn_articulation>(given, "cairn_articulation");
  require("cairn_articulation.name", c.name);
  Articulation made{.name = c.name};
  each_of<cairn_link>(c.links, c.link_count, "cairn_articulation.links",
                      [&](const cairn_link& link) { made.links.push_back(link_of(link)); });
  each_of<cairn_coupling>(c.couplings, c.coupling_count, "cairn_articulation.couplings",
                          [&](const cairn_coupling& coupling) { made.couplings.push_back(coupling_of(coupling)); });
  return made;
}

std::vector<double> numbers(const char* name, const double* values, std::size_t count) {
  if (count != 0) require(name, values);
  return {values, values + count};
}

/// Its name is that of the link.
cairn_link of(const ArticulationLink& link) {
  auto c = twin<cairn_link>(link);
  fill(c, link.joint);
  put(c.position_in_parent, link.frame_in_parent.position);
  put(c.orientation_in_parent, link.frame_in_parent.orientation);
  put(c.position_in_link, link.frame_in_link.position);
  put(c.orientation_in_link, link.frame_in_link.orientation);
  put(c.inertia, link.inertia.moments);
  put(c.inertia_products, link.inertia.products);
  c.shape_count = static_cast<std::uint32_t>(link.shapes.size());
  give_has_color(c, link);
  return c;
}

/// Its name is that of the coupling.
cairn_coupling of(const ArticulationCoupling& coupling) {
  auto c = twin<cairn_coupling>(coupling);
  c.term_count = static_cast<std::uint32_t>(coupling.terms.size());
  return c;
}

/// Throws InvalidArgument if the articulation has no such coupling.
const ArticulationCoupling& coupling_at(const Articulation& articulation, std::uint32_t coupling) {
  if (coupling < articulation.couplings.size()) return articulation.couplings[coupling];
  throw InvalidArgument("articulation \"" + articulation.name + "\": there is no coupling " + std::to_string(coupling));
}

/// Throws InvalidArgument if the articulation has no such link.
const ArticulationLink& link_at(const Articulation& articulation, std::uint32_t link) {
  if (link < articulation.links.size()) return articulation.links[link];
  throw InvalidArgument("articulation \"" + articulation.name + "\": there is no link " + std::to_string(link));
}

}  // namespace

template <>
cairn_link defaults() {
  cairn_link c = of(ArticulationLink{});
  c.name = nullptr;
  return c;
}

template <>
cairn_coupling_term defaults() {
  return {.struct_size = sizeof(cairn_coupling_term), .link = 0, .coefficient = CouplingTerm{}.coefficient};
}

template <>
cairn_coupling defaults() {
  cairn_coupling c = of(ArticulationCoupling{});
  c.name = nullptr;
  return c;
}

template <>
cairn_articulation defaults() {
  return {.struct_size = sizeof(cairn_articulation)};
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

void cairn_link_init(cairn_link* link, size_t size) { initialise(link, size, defaults<cairn_link>()); }
void cairn_coupling_term_init(cairn_coupling_term* term, size_t size) {
  initialise(term, size, defaults<cairn_coupling_term>());
}
void cairn_coupling_init(cairn_coupling* coupling, size_t size) {
  initialise(coupling, size, defaults<cairn_coupling>());
}
void cairn_articulation_init(cairn_articulation* articulation, size_t size) {
  initialise(articulation, size, defaults<cairn_articulation>());
}

cairn_result cairn_scene_add_articulation(cairn_scene* scene, const cairn_articulation* articulation, const double* q,
                                          size_t q_count, const double* v, size_t v_count, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_articulation(articulation_of(articulation),
                                                           {numbers("q", q, q_count), numbers("v", v, v_count)});
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_articulation_count(const cairn_scene* scene, uint32_t* count) {
  return guarded([&] {
    require("scene, count", scene, count);
    *count = static_cast<std::uint32_t>(scene->scene.articulations().size());
  });
}

cairn_result cairn_scene_find_articulation(const cairn_scene* scene, const char* name, uint32_t* index) {
  return guarded([&] {
    require("scene, name, index", scene, name, index);
    const auto found = scene->scene.find_articulation(name);
    if (!found) {
      throw cairn::InvalidArgument("articulation \"" + std::string(name) + "\": the scene has none of this name");
    }
    *index = *found;
  });
}

cairn_result cairn_world_articulation_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return with(world, [&](const World& w) {
    require("count", count);
    *count = static_cast<std::uint32_t>(w.articulations().list(index).size());
  });
}

cairn_result cairn_world_articulations(const cairn_world* world, uint32_t index, cairn_handle* articulations,
                                       size_t count) {
  return with(world, [&](const World& w) {
    const std::vector<cairn::ArticulationHandle> all = w.articulations().list(index);
    check_count("cairn_world_articulations", count, all.size());
    if (count != 0) require("articulations", articulations);
    for (std::size_t i = 0; i < count; ++i) articulations[i] = handle(all[i]);
  });
}

cairn_result cairn_world_find_articulation(const cairn_world* world, uint32_t index, const char* name,
                                           cairn_handle* articulation) {
  return with(world, [&](const World& w) {
    require("name, articulation", name, articulation);
    *articulation = handle(found(w.articulations().find(name, index), "articulation", name));
  });
}

cairn_result cairn_world_add_articulation(cairn_world* world, uint32_t index, const cairn_articulation* articulation,
                                          const double* q, size_t q_count, const double* v, size_t v_count,
                                          cairn_handle* added) {
  return with(world, [&](World& w) {
    const cairn::ArticulationHandle made = w.articulations().add(
        articulation_of(articulation), {numbers("q", q, q_count), numbers("v", v, v_count)}, index);
    if (added != nullptr) *added = handle(made);
  });
}

cairn_result cairn_articulation_remove(cairn_world* world, cairn_handle articulation) {
  return with(world, [&](World& w) { w.articulations().remove(articulation_of(articulation)); });
}

cairn_result cairn_articulation_alive(const cairn_world* world, cairn_handle articulation, int32_t* alive) {
  return with(world, [&](const World& w) {
    require("alive", alive);
    *alive = w.alive(articulation_of(articulation)) ? 1 : 0;
  });
}

cairn_result cairn_articulation_describe(const cairn_world* world, cairn_handle articulation,
                                         cairn_articulation* description) {
  return with(world, [&](const World& w) {
    require("description", description);
    const cairn::Articulation& of = w.description(articulation_of(articulation));
    cairn_articulation c = defaults<cairn_articulation>();
    c.name = of.name.c_str();
    c.link_count = static_cast<std::uint32_t>(of.links.size());
    c.coupling_count = static_cast<std::uint32_t>(of.couplings.size());
    write(description, c, "description");
  });
}

cairn_result cairn_link_describe(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                 cairn_link* description) {
  return with(world, [&](const World& w) {
    require("description", description);
    write(description, of(link_at(w.description(articulation_of(articulation)), link)), "description");
  });
}

cairn_result cairn_coupling_describe(const cairn_world* world, cairn_handle articulation, uint32_t coupling,
                                     cairn_coupling* description) {
  return with(world, [&](const World& w) {
    require("description", description);
    write(description, of(coupling_at(w.description(articulation_of(articulation)), coupling)), "description");
  });
}

cairn_result cairn_coupling_term_describe(const cairn_world* world, cairn_handle articulation, uint32_t coupling,
                                          uint32_t term, cairn_coupling_term* description) {
  return with(world, [&](const World& w) {
    require("description", description);
    const cairn::ArticulationCoupling& of = coupling_at(w.description(articulation_of(articulation)), coupling);
    if (term >= of.terms.size()) {
      throw cairn::InvalidArgument("coupling \"" + of.name + "\": there is no term " + std::to_string(term));
    }
    cairn_coupling_term c = defaults<cairn_coupling_term>();
    c.link = of.terms[term].link;
    c.coefficient = of.terms[term].coefficient;
    write(description, c, "description");
  });
}

cairn_result cairn_articulation_size(const cairn_world* world, cairn_handle articulation, uint32_t* coordinates,
                                     uint32_t* rates) {
  return with(world, [&](const World& w) {
    require("coordinates, rates", coordinates, rates);
    const cairn::CompiledArticulation made = compile(w.description(articulation_of(articulation)));
    *coordinates = made.coordinates;
    *rates = static_cast<std::uint32_t>(made.dofs.size());
  });
}

cairn_result cairn_link_place(const cairn_world* world, cairn_handle articulation, uint32_t link, uint32_t* coordinate,
                              uint32_t* rate) {
  return with(world, [&](const World& w) {
    require("coordinate, rate", coordinate, rate);
    const cairn::Articulation& description = w.description(articulation_of(articulation));
    (void)link_at(description, link);
    const cairn::CompiledArticulation made = compile(description);
    *coordinate = made.coordinate_of[link];
    *rate = made.dof_of[link];
  });
}

cairn_result cairn_link_body(const cairn_world* world, cairn_handle articulation, uint32_t link, cairn_handle* body) {
  return with(world, [&](const World& w) {
    require("body", body);
    (void)link_at(w.description(articulation_of(articulation)), link);
    *body = handle(w.bodies(articulation_of(articulation))[link]);
  });
}

cairn_result cairn_articulation_state(const cairn_world* world, cairn_handle articulation, double* q, size_t q_count,
                                      double* v, size_t v_count) {
  return with(world, [&](const World& w) {
    const cairn::ArticulationState state = w.state(articulation_of(articulation));
    check_count("cairn_articulation_state: q", q_count, state.q.size());
    check_count("cairn_articulation_state: v", v_count, state.v.size());
    if (q_count != 0) require("q", q);
    if (v_count != 0) require("v", v);
    std::copy(state.q.begin(), state.q.end(), q);
    std::copy(state.v.begin(), state.v.end(), v);
  });
}

cairn_result cairn_articulation_set_state(cairn_world* world, cairn_handle articulation, const double* q,
                                          size_t q_count, const double* v, size_t v_count) {
  return with(world, [&](World& w) {
    w.set_state(articulation_of(articulation), {numbers("q", q, q_count), numbers("v", v, v_count)});
  });
}

cairn_result cairn_link_joint_of(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                 cairn_link* joint) {
  return with(world, [&](const World& w) {
    require("joint", joint);
    cairn_link c = defaults<cairn_link>();
    fill(c, w.articulations().joint(articulation_of(articulation), link));
    write(joint, c, "joint");
  });
}

cairn_result cairn_link_set_joint(cairn_world* world, cairn_handle articulation, uint32_t link,
                                  const cairn_link* joint) {
  return with(world, [&](World& w) {
    const cairn_link c = read<cairn_link>(joint, "cairn_link");
    cairn::ArticulationJoint made;
    take(made, c, "cairn_link");
    w.articulations().set_joint(articulation_of(articulation), link, made);
  });
}

cairn_result cairn_articulation_set_forces(cairn_world* world, cairn_handle articulation, const double* forces,
                                           size_t count) {
  return with(world, [&](World& w) {
    w.articulations().set_forces(articulation_of(articulation), numbers("forces", forces, count));
  });
}

cairn_result cairn_articulation_set_targets(cairn_world* world, cairn_handle articulation, const double* q,
                                            size_t q_count, const double* v, size_t v_count) {
  return with(world, [&](World& w) {
    w.articulations().set_targets(articulation_of(articulation), {numbers("q", q, q_count), numbers("v", v, v_count)});
  });
}
