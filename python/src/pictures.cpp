// Pictures of a world.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {

void bind_pictures(nb::module_& m) {
  m.def(
      "render",
      [](PyWorld& world, Given<PictureOptions> options) {
        const PictureOptions read = options.get_or_default("options");
        Image image = world.run([&](World& w) { return render(w, read); });
        auto* const held = new std::vector<std::uint8_t>(std::move(image.rgb));
        const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<std::uint8_t>*>(p); });
        const std::size_t shape[3] = {static_cast<std::size_t>(image.height), static_cast<std::size_t>(image.width), 3};
        return nb::ndarray<nb::numpy, std::uint8_t>(held->data(), 3, shape, owner);
      },
      nb::arg("world"), nb::arg("options").none() = nb::none(),
      "A picture of the world as it is now: (height, width, 3) uint8. The same on every machine.");
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
