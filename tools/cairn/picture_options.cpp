#include "tools/cairn/picture_options.h"

#include <charconv>
#include <vector>

#include "cairn/errors.h"
#include "src/picture/view.h"
#include "tools/cairn/numbers.h"

namespace cairn::cli {
namespace {

/// Numbers with a sign between them; as many as there are in `least` to `most`.
template <class T>
std::vector<T> numbers_of(const std::string& option, const std::string& text, char sign, std::size_t least,
                          std::size_t most, const char* form) {
  std::vector<T> found;
  const char *at = text.data(), *const end = at + text.size();
  while (found.size() <= most) {
    T value{};
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) break;
    found.push_back(value);
    at = rest;
    if (at == end || *at != sign) break;
    ++at;
  }
  if (at != end || found.size() < least || found.size() > most)
    throw InvalidArgument(option + " " + text + ": must be " + form);
  return found;
}

}  // namespace

void add_picture_options(CLI::App& command, PictureArguments& to) {
  CLI::Option* picture = command.add_option("--picture", to.file, "write a picture of the end to FILE.png");
  command
      .add_option("--camera", to.camera,
                  "X,Y,Z,X,Y,Z[,DEGREES]: where the picture is seen from, what is in its middle [m], and the angle of "
                  "view from its lower edge to the upper")
      ->needs(picture);
  command.add_option("--size", to.size, "WIDTHxHEIGHT in pixels (default: 1280x720)")->needs(picture);
  command.add_option("--samples", to.samples, "rays along each side of a pixel")
      ->transform(whole_number(1, 16))
      ->needs(picture)
      ->capture_default_str();
  CLI::Option* world = command.add_option("--world", to.world, "the only world that is drawn, by its index")
                           ->transform(whole_number(0, 65534));
  world->needs(picture);
  command.add_option("--grid", to.grid, "COLUMNSxROWS: so many worlds beside each other")
      ->needs(picture)
      ->excludes(world);
}

PictureOptions picture_options(const PictureArguments& given, std::uint32_t worlds) {
  PictureOptions options;
  options.samples = given.samples;
  if (given.file.empty()) return options;
  if (given.camera) {
    const auto n = numbers_of<double>("--camera", *given.camera, ',', 6, 7, "six or seven numbers with commas between");
    options.camera = PictureCamera{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    if (n.size() == 7) options.camera->field_of_view = n[6];
  }
  if (given.size) {
    const auto n = numbers_of<int>("--size", *given.size, 'x', 2, 2, "WIDTHxHEIGHT");
    options.width = n[0], options.height = n[1];
  }
  if (given.grid) {
    const auto n = numbers_of<std::uint32_t>("--grid", *given.grid, 'x', 2, 2, "COLUMNSxROWS");
    options.grid = PictureGrid{n[0], n[1]};
  }
  options.world = given.world;
  picture::refuse_faults(options);
  if (given.world && *given.world >= worlds) {
    throw InvalidArgument("--world " + std::to_string(*given.world) + ": there are " + std::to_string(worlds));
  }
  if (worlds > 1 && !given.world && !given.grid) {
    throw InvalidArgument("--picture " + given.file + ": of " + std::to_string(worlds) +
                          " worlds, wants --world or --grid");
  }
  return options;
}

}  // namespace cairn::cli
