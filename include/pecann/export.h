/// \file
/// Which names the shared library shows. Everything without PECANN_API stays inside.
#pragma once

/// Marks a class or function of the public interface.
#define PECANN_API __attribute__((visibility("default")))
