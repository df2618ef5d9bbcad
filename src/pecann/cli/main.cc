#include <cstdio>

int main() {
  std::puts("pecann");
  return 0;
}
