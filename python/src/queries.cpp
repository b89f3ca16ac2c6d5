// Rays, casts, overlaps and nearest points.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {
namespace {

struct PyQueries {
  nb::object world;
  PyWorld& owner() const { return nb::cast<PyWorld&>(world); }
};

template <class Q, class R>
auto asked(R (Queries::*f)(std::span<const Q>) const) {
  return unnamed<1>([f](const Names<1>& names) {
    return [f, names](PyQueries& self, Given<std::vector<Q>> given) {
      const std::vector<Q> read = given.get(names[0]);
      return Made<R>{self.owner().run([&](World& w) { return (w.queries().*f)(read); })};
    };
  });
}

template <class Q>
auto asked(void (Queries::*f)(const QueryArrays&, const HitArrays&, const Q&) const) {
  return unnamed<3>([f](const Names<3>& names) {
    return [f, names](PyQueries& self, Given<QueryArrays> from, Given<HitArrays> to, Given<Q> like) {
      ArraysGiven keep = self.owner().arrays();
      const QueryArrays in = from.get(names[0], keep);
      const HitArrays out = to.get(names[1], keep);
      const Q rest = like.get_or_default(names[2]);
      self.owner().run_by(keep, [&](World& w) { (w.queries().*f)(in, out, rest); });
    };
  });
}

constexpr const char* kByArrays =
    "The same of arrays on the World's device, into others there. All rows are like `like` but for what the arrays "
    "have.";

}  // namespace

nb::object queries_of(nb::object world) {
  nb::cast<PyWorld&>(world).use();
  return nb::cast(PyQueries{std::move(world)});
}

void bind_queries(nb::module_& m) {
  using Q = Queries;
  using Rays = std::span<const RayQuery>;
  using Shapes = std::span<const ShapeQuery>;
  const auto from = nb::arg("from_");
  Class<PyQueries>(m, "Queries",
                   "What a World is asked, at the poses as they are. Raise ValueError, naming the query "
                   "by its number, for what can't be asked.")
      .def("cast_rays", asked<RayQuery>(static_cast<std::vector<QueryHit> (Q::*)(Rays) const>(&Q::cast_rays)),
           nb::arg("rays"), "What each ray meets first; a null body where it meets nothing.")
      .def("cast_rays",
           asked<RayQuery>(
               static_cast<void (Q::*)(const QueryArrays&, const HitArrays&, const RayQuery&) const>(&Q::cast_rays)),
           from, nb::arg("to"), nb::arg("like").none() = nb::none(), kByArrays)
      .def("cast_rays_all", asked<RayQuery>(&Q::cast_rays_all), nb::arg("rays"), "All that is on the way of each ray.")
      .def("cast_shapes", asked<ShapeQuery>(static_cast<std::vector<QueryHit> (Q::*)(Shapes) const>(&Q::cast_shapes)),
           nb::arg("shapes"), "What each moving shape meets first.")
      .def("cast_shapes",
           asked<ShapeQuery>(static_cast<void (Q::*)(const QueryArrays&, const HitArrays&, const ShapeQuery&) const>(
               &Q::cast_shapes)),
           from, nb::arg("to"), nb::arg("like"), kByArrays)
      .def("cast_shapes_all", asked<ShapeQuery>(&Q::cast_shapes_all), nb::arg("shapes"), "All that is on their way.")
      .def("overlaps", asked<ShapeQuery>(static_cast<QueryHits (Q::*)(Shapes) const>(&Q::overlaps)), nb::arg("shapes"),
           "All that overlaps each shape.")
      .def("overlaps",
           asked<ShapeQuery>(
               static_cast<void (Q::*)(const QueryArrays&, const HitArrays&, const ShapeQuery&) const>(&Q::overlaps)),
           from, nb::arg("to"), nb::arg("like"), kByArrays)
      .def("closest", asked<ShapeQuery>(static_cast<std::vector<QueryHit> (Q::*)(Shapes) const>(&Q::closest)),
           nb::arg("shapes"), "What is nearest to each shape, within its distance.")
      .def("closest",
           asked<ShapeQuery>(
               static_cast<void (Q::*)(const QueryArrays&, const HitArrays&, const ShapeQuery&) const>(&Q::closest)),
           from, nb::arg("to"), nb::arg("like"), kByArrays)
      .def("closest_all", asked<ShapeQuery>(&Q::closest_all), nb::arg("shapes"), "All within each shape's distance.")
      .def(
          "set_brute", [](PyQueries& self, bool on) { self.owner().use().queries().set_brute(on); }, nb::arg("on"),
          "Queries look at every shape of their world, to check the tree.");
}

}  // namespace cairn::python
