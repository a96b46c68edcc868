/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the CUDA driver at run time. */
#define _DEFAULT_SOURCE
#include "gpu/driver.h"

#include <dlfcn.h>
#include <string.h>

const char *hanji_cu_open(cu_driver *driver)
{
    memset(driver, 0, sizeof *driver);
    driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (driver->library == NULL)
        return "there is no NVIDIA driver: libcuda.so.1 was not found";
#define CU_FIND(member, symbol, parameters)                     \
    {                                                           \
        void *found = dlsym(driver->library, symbol);           \
        if (found == NULL)                                      \
            return "the NVIDIA driver is too old: no " symbol;  \
        memcpy(&driver->member, &found, sizeof driver->member); \
    }
    CU_FUNCTIONS(CU_FIND)
#undef CU_FIND
    return NULL;
}

void hanji_cu_close(cu_driver *driver)
{
    if (driver->library != NULL)
        dlclose(driver->library);
    memset(driver, 0, sizeof *driver);
}
