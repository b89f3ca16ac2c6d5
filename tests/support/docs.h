#pragma once
// Parts of docs that are made from lists in the code. CAIRN_DOCS=write puts them there; else they are compared.

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace cairn::testing_support {

inline std::string path_of_doc(const std::string& name) { return std::string(CAIRN_SOURCE_DIR) + "/docs/" + name; }

inline std::string whole(const std::string& path) {
  std::ifstream stream(path);
  EXPECT_TRUE(stream) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline void expect_text(const std::string& path, const std::string& wanted) {
  const char* mode = std::getenv("CAIRN_DOCS");
  const bool writing = mode != nullptr && std::string(mode) == "write";
  const bool same = whole(path) == wanted;
  if (writing) std::ofstream(path) << wanted;
  EXPECT_TRUE(writing || same) << path << " isn't what it is made from; CAIRN_DOCS=write writes it";
}

/// The page's text with a table behind the mark that names it, up to the next empty line.
inline std::string with_table(std::string page, const std::string& name, const std::string& table) {
  const std::string mark = "<!-- " + name + ", made from its list -->\n";
  const std::size_t at = page.find(mark);
  EXPECT_NE(at, std::string::npos) << "there is no " << mark;
  if (at == std::string::npos) return page;
  const std::size_t begin = at + mark.size(), end = page.find("\n\n", begin) + 1;
  return page.replace(begin, end - begin, table);
}

/// "docs/direct.md#more-passes" as a link from the page beside it.
inline std::string linked(const std::string& meaning) {
  static const std::regex kPage(R"(docs/(\w+\.md)(#[\w-]+)?)");
  return std::regex_replace(meaning, kPage, "[$1]($1$2)");
}

}  // namespace cairn::testing_support
