/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which algorithms have kernels, and the modules of the driver that hold them: machine code where
 * the build has some for the device, else PTX.
 */
#include "gpu/context.h"

#include <stdio.h>
#include <string.h>

#include "hanji/aead.h"

#define CIPHERS (sizeof rows / sizeof rows[0])

static const row rows[] = {
    {"speck-64/128", "speck64_128", "speck64_sm75", 32, 2, 0, 1, 27},
    {"speck-128/128", "speck128_128", "speck128_sm75", 64, 4, 0, 1, 32},
    {"speck-128/192", "speck128_192", "speck128_sm75", 64, 4, 0, 1, 33},
    {"speck-128/256", "speck128_256", "speck128_sm75", 64, 4, 0, 1, 34},
    {"simon-64/128", "simon64_128", "simon64_sm75", 32, 2, 1, 2, 44},
    {"simon-128/128", "simon128_128", "simon128_sm75", 64, 4, 1, 1, 68},
    {"simeck-64/128", "simeck64_128", "simeck64_sm75", 32, 2, 1, 2, 44},
    {"cham-64/128", "cham64_128", "cham64_sm75", 16, 2, 2, 1, 16},
    {"cham-128/128", "cham128_128", "cham128_sm75", 32, 4, 0, 1, 8},
    {"cham-128/256", "cham128_256", "cham128_sm75", 32, 4, 0, 1, 16},
};

_Static_assert(CIPHERS <= CIPHERS_MAX, "hanji_gpu has no room for so many modules");

const sponge_row hanji_gpu_sponges[SPONGES] = {
    {"SCHWAEMM256-128", "schwaemm256_128", "schwaemm256_sm75", HANJI_SCHWAEMM256_128_NONCE_BYTES,
     0},
    {"Ascon-AEAD128", "ascon_aead128", "ascon_sm75", HANJI_ASCON_AEAD128_NONCE_BYTES,
     HANJI_ASCON_AEAD128_LIMIT_BLOCKS},
};

static const char *const endings[FILES] = {"", "_x32", "_fleet"};

const row *hanji_gpu_find(const hanji_cipher *cipher)
{
    for (size_t i = 0; cipher != NULL && i < CIPHERS; i++)
        if (strcmp(rows[i].cipher, cipher->name) == 0)
            return &rows[i];
    return NULL;
}

int hanji_gpu_find_fleet(context *c, const row **found, const hanji_cipher *cipher)
{
    *found = hanji_gpu_find(cipher);
    if (*found != NULL && (*found)->fleet != 0)
        return HANJI_OK;
    return hanji_gpu_failed(c, HANJI_E_UNSUPPORTED,
                            "there are no GPU kernels with a key per message for", cipher->name);
}

/* Machine code of a file for this device, the nearest; or NULL. */
static const hanji_gpu_cubin *find_cubin(const context *c, const char *name)
{
    const hanji_gpu_cubin *best = NULL;
    for (const hanji_gpu_cubin *one = hanji_gpu_cubins; one->name != NULL; one++)
        if (strcmp(one->name, name) == 0 && one->capability / 10 == c->capability / 10 &&
            one->capability <= c->capability &&
            (best == NULL || one->capability > best->capability))
            best = one;
    return best;
}

/* Load a PTX file into `module`, if it is not loaded. */
static int load(context *c, cu_handle *module, const char *file, const char *ending)
{
    if (*module != NULL)
        return HANJI_OK;
    char name[48];
    snprintf(name, sizeof name, "%s%s", file, ending);
    const hanji_gpu_image *image = hanji_gpu_images;
    while (image->name != NULL && strcmp(image->name, name) != 0)
        image++;
    if (image->name == NULL)
        return hanji_gpu_failed(c, HANJI_E_UNSUPPORTED, "this build has no kernels in", name);
    const hanji_gpu_cubin *const cubin = find_cubin(c, name);
    if (cubin != NULL && c->driver.module_load(module, cubin->code) == 0)
        return HANJI_OK;
    *module = NULL; /* the driver's compiler makes it of PTX, where the driver has one */
    return hanji_gpu_checked(c, c->driver.module_load(module, image->text),
                             "the driver refuses the kernels");
}

static int find_entry(context *c, cu_handle module, const char *entry, const char *ending,
                      cu_handle *found)
{
    char name[80];
    snprintf(name, sizeof name, "hanji_%s_sm75_%s", entry, ending);
    return hanji_gpu_checked(c, c->driver.module_function(found, module, name),
                             "a kernel is missing");
}

int hanji_gpu_function(context *c, const row *r, int file, const char *ending, cu_handle *found)
{
    size_t first = (size_t)(r - rows);
    while (first > 0 && strcmp(rows[first - 1].file, r->file) == 0)
        first--;
    cu_handle *const module = &c->modules[first][file];
    const int rc = load(c, module, r->file, endings[file]);
    return rc != HANJI_OK ? rc : find_entry(c, *module, r->entry, ending, found);
}

int hanji_gpu_sponge_function(context *c, int aead, const char *ending, cu_handle *found)
{
    const sponge_row *const kernels = &hanji_gpu_sponges[aead];
    const int rc = load(c, &c->sponges[aead], kernels->file, endings[FLEET]);
    return rc != HANJI_OK ? rc : find_entry(c, c->sponges[aead], kernels->entry, ending, found);
}

static void unload(context *c, cu_handle module)
{
    if (module != NULL)
        (void)c->driver.module_unload(module);
}

void hanji_gpu_unload(context *c)
{
    for (size_t i = 0; i < CIPHERS_MAX; i++)
        for (size_t f = 0; f < FILES; f++)
            unload(c, c->modules[i][f]);
    for (size_t i = 0; i < SPONGES; i++)
        unload(c, c->sponges[i]);
}
