// SPDX-License-Identifier: Apache-2.0
// Libraries that are opened at run time, by the loader of the system.
#ifndef HANJI_PYTHON_LOADER_HPP
#define HANJI_PYTHON_LOADER_HPP

#include <string>

#ifdef _WIN32
// As windows.h declares them, without the thousands of names that it brings.
extern "C" {
__declspec(dllimport) void *__stdcall LoadLibraryA(const char *path);
__declspec(dllimport) void *__stdcall GetProcAddress(void *library, const char *name);
__declspec(dllimport) unsigned long __stdcall GetLastError(void);
}
#else
#include <dlfcn.h>
#endif

namespace hanji
{

#ifdef _WIN32

inline void *open_library(const char *path)
{
    return LoadLibraryA(path);
}

inline void *symbol_of(void *library, const char *name)
{
    return GetProcAddress(library, name);
}

inline std::string loader_error()
{
    return "error " + std::to_string(GetLastError()) + " of Windows";
}

#else

inline void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

inline void *symbol_of(void *library, const char *name)
{
    return dlsym(library, name);
}

// Why the last call failed.
inline std::string loader_error()
{
    const char *error = dlerror();
    return error ? error : "no error was given";
}

#endif

} // namespace hanji

#endif
