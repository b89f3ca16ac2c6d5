#pragma once
// Pictures of docs/ that tests draw again and compare with those in git.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace cairn::testing_support {

/// A drawing, line by line.
class Svg {
 public:
  Svg(int width, int height) {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n",
        width, height);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
  }
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    char line[256];
    va_list values;
    va_start(values, format);
    std::vsnprintf(line, sizeof line, format, values);
    va_end(values);
    text_ += line;
  }
  std::string done() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

/// That docs/ has the picture under this name. CAIRN_GOLDEN=write writes it.
inline void expect_picture(const std::string& name, const std::string& text) {
  const std::string path = std::string(CAIRN_SOURCE_DIR) + "/docs/" + name;
  const char* mode = std::getenv("CAIRN_GOLDEN");
  if (mode != nullptr && std::string(mode) == "write") {
    std::ofstream(path) << text;
    return;
  }
  std::stringstream there;
  there << std::ifstream(path).rdbuf();
  EXPECT_TRUE(there.str() == text) << path << " shows something else; write it with CAIRN_GOLDEN=write";
}

}  // namespace cairn::testing_support
