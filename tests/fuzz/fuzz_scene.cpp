// Feeds arbitrary bytes to the scene file reader. Only SceneFileError may come out, and what is read must survive being
// written and read again.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cairn/scene_file.h"
#include "tests/fuzz/require.h"

using cairn::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const cairn::Scene scene = cairn::parse_scene(text, "fuzz");
    const std::string written = cairn::scene_to_json(scene);
    const cairn::Scene again = cairn::parse_scene(written, "written");
    require(again.name == scene.name && again.gravity() == scene.gravity() && again.params() == scene.params() &&
            again.limits() == scene.limits() && again.materials() == scene.materials() &&
            again.bodies() == scene.bodies() && again.joints() == scene.joints() &&
            again.articulations() == scene.articulations() && again.ignored().size() == scene.ignored().size() &&
            cairn::scene_to_json(again) == written);
  } catch (const cairn::SceneFileError& error) {
    // a written scene must be readable
    require(!std::string_view(error.what()).starts_with("written"));
  }
  return 0;
}
