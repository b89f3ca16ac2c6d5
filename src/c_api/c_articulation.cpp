// Articulations of scenes and worlds.

#include "src/articulations/compile_articulation.h"
#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

namespace cairn::c_api {

/// The name's memory is the link's. Without shapes.
template <>
struct ByHand<cairn_link, ArticulationLink> {
  static void give(cairn_link& c, const ArticulationLink& link) {
    put(c.position_in_parent, c.orientation_in_parent, link.frame_in_parent);
    put(c.position_in_link, c.orientation_in_link, link.frame_in_link);
    put(c.inertia, link.inertia.moments);
    put(c.inertia_products, link.inertia.products);
  }
  static void take(ArticulationLink& link, const cairn_link& c, const std::string&) {
    link.frame_in_parent = {vec3(c.position_in_parent), quat(c.orientation_in_parent)};
    link.frame_in_link = {vec3(c.position_in_link), quat(c.orientation_in_link)};
    link.inertia = {vec3(c.inertia), vec3(c.inertia_products)};
  }
};

/// The name's memory is the articulation's. Without links and couplings.
template <>
struct ByHand<cairn_articulation, Articulation> {
  static void give(cairn_articulation& c, const Articulation& of) {
    c.link_count = static_cast<std::uint32_t>(of.links.size());
    c.coupling_count = static_cast<std::uint32_t>(of.couplings.size());
  }
  static void take(Articulation& to, const cairn_articulation& c, const std::string&) {
    each_of<cairn_link>(c.links, c.link_count, "cairn_articulation.links",
                        [&](const cairn_link& link) { to.links.push_back(attributes_of<ArticulationLink>(link)); });
    each_of<cairn_coupling>(
        c.couplings, c.coupling_count, "cairn_articulation.couplings",
        [&](const cairn_coupling& coupling) { to.couplings.push_back(attributes_of<ArticulationCoupling>(coupling)); });
  }
};

namespace {

static_assert(CAIRN_WORLD_LINK == kWorldLink);

auto state_of(const double* q, std::size_t q_count, const double* v, std::size_t v_count) {
  return [=] {
    const auto numbers = [](const char* name, const double* at, std::size_t count) {
      if (count != 0) require(name, at);
      return std::vector<double>(at, at + count);
    };
    return ArticulationState{numbers("q", q, q_count), numbers("v", v, v_count)};
  };
}

const Articulation& described(const World& world, cairn_handle articulation) {
  return world.description(handle<ArticulationHandle>(articulation));
}
const ArticulationCoupling& coupling_at(const Articulation& of, std::uint32_t coupling) {
  return part_at(of, of.couplings, coupling, "coupling");
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::ArticulationHandle;
using cairn::Scene;
using cairn::World;
using cairn::WorldArticulations;

void cairn_link_init(cairn_link* to, size_t size) { initialise(to, size); }
void cairn_coupling_term_init(cairn_coupling_term* to, size_t size) { initialise(to, size); }
void cairn_coupling_init(cairn_coupling* to, size_t size) { initialise(to, size); }
void cairn_articulation_init(cairn_articulation* to, size_t size) { initialise(to, size); }

cairn_result cairn_scene_add_articulation(cairn_scene* scene, const cairn_articulation* articulation, const double* q,
                                          size_t q_count, const double* v, size_t v_count, uint32_t* index) {
  return get(scene, or_null(index), &Scene::add_articulation, articulation, state_of(q, q_count, v, v_count));
}
cairn_result cairn_scene_articulation_count(const cairn_scene* scene, uint32_t* count) {
  return get(scene, out("scene, count", count), &Scene::articulations);
}
cairn_result cairn_scene_find_articulation(const cairn_scene* scene, const char* name, uint32_t* index) {
  return find(scene, &Scene::find_articulation, "articulation", name, index);
}

cairn_result cairn_world_articulation_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return get(world, out("count", count), &WorldArticulations::list, index);
}
cairn_result cairn_world_articulations(const cairn_world* world, uint32_t index, cairn_handle* articulations,
                                       size_t count) {
  return get(world, out_all("cairn_world_articulations", "articulations", articulations, count),
             &WorldArticulations::list, index);
}
cairn_result cairn_world_find_articulation(const cairn_world* world, uint32_t index, const char* name,
                                           cairn_handle* articulation) {
  return find(world, &WorldArticulations::find, index, "articulation", name, "name, articulation", articulation);
}
cairn_result cairn_world_add_articulation(cairn_world* world, uint32_t index, const cairn_articulation* articulation,
                                          const double* q, size_t q_count, const double* v, size_t v_count,
                                          cairn_handle* added) {
  return get(world, or_null(added), &WorldArticulations::add, articulation, state_of(q, q_count, v, v_count), index);
}

cairn_result cairn_articulation_remove(cairn_world* world, cairn_handle articulation) {
  return call(world, &WorldArticulations::remove, articulation);
}
cairn_result cairn_articulation_alive(const cairn_world* world, cairn_handle articulation, int32_t* alive) {
  return get(world, out("alive", alive), taking<ArticulationHandle>(&World::alive), articulation);
}

cairn_result cairn_articulation_describe(const cairn_world* world, cairn_handle articulation,
                                         cairn_articulation* description) {
  return get(world, out("description", description), taking<ArticulationHandle>(&World::description), articulation);
}
cairn_result cairn_link_describe(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                 cairn_link* description) {
  return get(world, out("description", description), [&](const World& w) -> const cairn::ArticulationLink& {
    return link_at(described(w, articulation), link);
  });
}
cairn_result cairn_coupling_describe(const cairn_world* world, cairn_handle articulation, uint32_t coupling,
                                     cairn_coupling* description) {
  return get(world, out("description", description), [&](const World& w) -> const cairn::ArticulationCoupling& {
    return coupling_at(described(w, articulation), coupling);
  });
}
cairn_result cairn_coupling_term_describe(const cairn_world* world, cairn_handle articulation, uint32_t coupling,
                                          uint32_t term, cairn_coupling_term* description) {
  return get(world, out("description", description), [&](const World& w) {
    const cairn::ArticulationCoupling& of = coupling_at(described(w, articulation), coupling);
    if (term < of.terms.size()) return of.terms[term];
    throw cairn::InvalidArgument("coupling \"" + of.name + "\": there is no term " + std::to_string(term));
  });
}

cairn_result cairn_articulation_size(const cairn_world* world, cairn_handle articulation, uint32_t* coordinates,
                                     uint32_t* rates) {
  return call(world, [&](const World& w) {
    require("coordinates, rates", coordinates, rates);
    const cairn::CompiledArticulation made = compile(described(w, articulation));
    *coordinates = made.coordinates;
    *rates = static_cast<std::uint32_t>(made.dofs.size());
  });
}
cairn_result cairn_link_place(const cairn_world* world, cairn_handle articulation, uint32_t link, uint32_t* coordinate,
                              uint32_t* rate) {
  return call(world, [&](const World& w) {
    require("coordinate, rate", coordinate, rate);
    const cairn::Articulation& of = described(w, articulation);
    (void)link_at(of, link);
    const cairn::CompiledArticulation made = compile(of);
    *coordinate = made.coordinate_of[link];
    *rate = made.dof_of[link];
  });
}
cairn_result cairn_link_body(const cairn_world* world, cairn_handle articulation, uint32_t link, cairn_handle* body) {
  return get(world, out("body", body), [&](const World& w) {
    (void)link_at(described(w, articulation), link);
    return w.bodies(handle<ArticulationHandle>(articulation))[link];
  });
}

cairn_result cairn_articulation_state(const cairn_world* world, cairn_handle articulation, double* q, size_t q_count,
                                      double* v, size_t v_count) {
  return call(world, [&](const World& w) {
    const cairn::ArticulationState state = w.state(handle<ArticulationHandle>(articulation));
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
  return call(world, taking<ArticulationHandle, const cairn::ArticulationState&>(&World::set_state), articulation,
              state_of(q, q_count, v, v_count));
}

cairn_result cairn_link_joint_of(const cairn_world* world, cairn_handle articulation, uint32_t link,
                                 cairn_link* joint) {
  return get(world, out("joint", joint), [&](const World& w) {
    auto c = defaults<cairn_link>();
    fill(c, w.articulations().joint(handle<ArticulationHandle>(articulation), link));
    return c;
  });
}
cairn_result cairn_link_set_joint(cairn_world* world, cairn_handle articulation, uint32_t link,
                                  const cairn_link* joint) {
  return call(world, &WorldArticulations::set_joint, articulation, link, joint);
}
cairn_result cairn_articulation_set_forces(cairn_world* world, cairn_handle articulation, const double* forces,
                                           size_t count) {
  return call(world, &WorldArticulations::set_forces, articulation, list("forces", forces, count));
}
cairn_result cairn_articulation_set_targets(cairn_world* world, cairn_handle articulation, const double* q,
                                            size_t q_count, const double* v, size_t v_count) {
  return call(world, &WorldArticulations::set_targets, articulation, state_of(q, q_count, v, v_count));
}
