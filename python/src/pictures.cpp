// Pictures of a world.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {
namespace {

nb::ndarray<nb::numpy, std::uint8_t> pixels(Image image) {
  return shaped(std::move(image.rgb),
                {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width), 3});
}

}  // namespace

void bind_pictures(nb::module_& m) {
  m.def(
      "render",
      [](PyWorld& world, Given<PictureOptions> options) {
        const PictureOptions read = options.get_or_default("options");
        return pixels(world.run([&](World& w) { return render(w, read); }));
      },
      nb::arg("world"), nb::arg("options").none() = nb::none(),
      "A picture of the world as it is now: (height, width, 3) uint8. The same on every machine.");
  m.def(
      "framing",
      [](PyWorld& world, Given<PictureOptions> options) {
        const PictureOptions read = options.get_or_default("options");
        return Made{world.run([&](World& w) { return framing(w, read); })};
      },
      nb::arg("world"), nb::arg("options").none() = nb::none(),
      "The options with the camera and the sun that such a picture would choose for the bodies as they are now.");
  m.def(
      "render",
      [](Given<std::vector<Body>> bodies, nb::handle states, Given<Vec3> up, Given<PictureOptions> options,
         Given<std::vector<Joint>> joints) {
        const std::vector<Body> of = bodies.get("bodies");
        const StatesGiven given(states);
        const std::vector<BodyState> at = given.of(given.rows());
        const Vec3 upwards = up.get("up");
        const PictureOptions read = options.get_or_default("options");
        const std::vector<Joint> between = joints.get_or_default("joints");
        return pixels(unlocked([&] { return render(of, at, upwards, read, between); }));
      },
      nb::arg("bodies"), nb::arg("states"), nb::arg("up"), nb::arg("options").none() = nb::none(),
      nb::arg("joints").none() = nb::none(),
      nb::sig("def render(bodies: collections.abc.Iterable[cairn._structs.Body], states: cairn._values.States, up: "
              "cairn._values.Vec3Like, options: cairn._structs.PictureOptions | None = None, joints: "
              "collections.abc.Iterable[cairn._structs.Joint] | None = None) -> numpy.typing.NDArray[numpy.uint8]"),
      "Bodies at states as read_states gives them. Joints, whose bodies are indices of `bodies`, are drawn over them.");
  m.def(
      "camera_now",
      [](Given<SceneCamera> camera, const Scene& scene, PyWorld& world, std::uint32_t index) {
        const SceneCamera of = camera.get("camera");
        return Made{world.run([&](World& w) { return camera_now(of, scene, w, index); })};
      },
      nb::arg("camera"), nb::arg("scene"), nb::arg("world"), nb::arg("index") = 0,
      "Where a camera of a scene sees a world of it from as it is now, with the body that it follows.");
  m.def(
      "picture_color", [](std::uint32_t body, bool dynamic) { return Made{picture_color(body, dynamic)}; },
      nb::arg("body"), nb::arg("dynamic") = true,
      "[1] The share of red, green and blue light that a body throws back in a picture, by its place among the "
      "bodies.");
  m.def(
      "picture_color",
      [](Given<Body> body, std::uint32_t index) { return Made{picture_color(body.get("body"), index)}; },
      nb::arg("body"), nb::arg("index"),
      "The same of a body that may have a colour of its own, the one at place `index`.");
  m.def(
      "png",
      [](nb::ndarray<const std::uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu> pixels) {
        const std::string bytes = png({.width = static_cast<int>(pixels.shape(1)),
                                       .height = static_cast<int>(pixels.shape(0)),
                                       .rgb = {pixels.data(), pixels.data() + pixels.size()}});
        return nb::bytes(bytes.data(), bytes.size());
      },
      nb::arg("image"), "A picture (height, width, 3) as the bytes of a PNG file.");
  m.def(
      "write_picture",
      [](PyWorld& world, nb::handle file, Given<PictureOptions> options) {
        const std::filesystem::path path = path_of(file);
        const PictureOptions read = options.get_or_default("options");
        world.run([&](World& w) { write_picture(w, path, read); });
      },
      nb::arg("world"), nb::arg("file"), nb::arg("options").none() = nb::none(),
      nb::sig(
          "def write_picture(world: World, file: str | os.PathLike[str], options: cairn._structs.PictureOptions | None "
          "= None) -> None"),
      "Renders it into a PNG file, which is written whole or not at all.");
}

}  // namespace cairn::python
