/* SPDX-License-Identifier: Apache-2.0 */
/* Every algorithm of the library against a known answer, with the kernels of this machine. */
#include <hanji/hanji.h>
#include <stdio.h>

int main(void)
{
    const char *failed = NULL;
    const int rc = hanji_selftest(&failed);
    printf("hanji %s: %s\n", hanji_version(), rc == HANJI_OK ? "all answers are right" : failed);
    return rc != HANJI_OK;
}
