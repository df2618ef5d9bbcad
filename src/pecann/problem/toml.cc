#define TOML_IMPLEMENTATION
#include "pecann/problem/toml.h"
