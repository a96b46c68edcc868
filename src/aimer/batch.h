/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the buffers of a batch of signatures share no byte where one of them is written. */
#ifndef HANJI_AIMER_BATCH_H
#define HANJI_AIMER_BATCH_H

#include "hanji/sign.h"
#include "support/apart.h"

/*
 * Both return HANJI_OK or the error of the whole call; with HANJI_E_ARGUMENT nothing was written
 * but, for signatures, statuses. `others` are the scratch memory and the key.
 */

/* Verifying writes statuses and the scratch memory. */
int hanji_aimer_batch_inputs_apart(const hanji_aimer_item *items, size_t count,
                                   size_t signature_bytes, const hanji_buffer others[2]);
/* Signing writes every signature, too. Time: count log count; memory: the statuses. */
int hanji_aimer_batch_apart(hanji_aimer_item *items, size_t count, size_t signature_bytes,
                            const hanji_buffer others[2]);

#endif
