#include "pecann/page/secret_token.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace pecann::page {

std::string random_token() {
  unsigned char bytes[16];
  std::size_t got = 0;
  while (got < sizeof bytes) {
    const ssize_t more = ::getrandom(bytes + got, sizeof bytes - got, 0);
    if (more < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
    if (more > 0) got += static_cast<std::size_t>(more);
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

bool same_secret(std::string_view given, std::string_view secret) {
  unsigned differences = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i)
    differences |= static_cast<unsigned>(i < given.size() ? given[i] ^ secret[i] : 1);
  return differences == 0;
}

}  // namespace pecann::page
