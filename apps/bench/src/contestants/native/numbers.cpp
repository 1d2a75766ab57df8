/*
 * A table of comma-separated numbers, from bytes in memory to doubles in memory, by std::from_chars.
 * Usage: numbers file count
 */
#include "kernel.h"
#include <charconv>

int main(int, char **words) {
  FILE *file = fopen(words[1], "rb");
  if (!file) return 2;
  vector<char> text;
  fseek(file, 0, SEEK_END);
  const size_t size = ftell(file);
  rewind(file);
  read(file, text, size);
  fclose(file);
  vector<double> out;
  auto run = [&] {
    out.clear();
    out.shrink_to_fit();
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
      double value;
      const auto parsed = std::from_chars(at, end, value);
      if (parsed.ec != std::errc()) exit(2);
      out.push_back(value);
      at = parsed.ptr + 1;
    }
  };
  report(atol(words[2]), run, [&] { return sum(out); });
}
