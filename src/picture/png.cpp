#include <new>

#include "cairn/errors.h"
#include "cairn/picture.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

namespace cairn {

std::string png(const Image& image) {
  if (image.width < 1 || image.height < 1 || image.rgb.size() != std::size_t{3} * image.width * image.height) {
    throw InvalidArgument("png: " + std::to_string(image.rgb.size()) + " bytes given for " +
                          std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels");
  }
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), 3 * image.width) == 0) {
    throw std::bad_alloc();
  }
  return bytes;
}

}  // namespace cairn
