/* SPDX-License-Identifier: Apache-2.0 */
/* Many messages of EAX and of CMAC, one in each lane of the cipher's vectors. */
#ifndef HANJI_MODES_CHAIN_LANES_H
#define HANJI_MODES_CHAIN_LANES_H

#include "fleet/messages.h"
#include "hanji/block.h"
#include "lanes/chains.h"

#if HANJI_GROUP_MESSAGES_MAX > 1

/* From how many messages on lanes pay; SIZE_MAX where the cipher has no kernel for them. */
size_t hanji_chain_lanes_least(const hanji_cipher *cipher);

/*
 * The messages of a group, of any number; `single` does one by itself, and is called for messages
 * past the limit of their key, and for all where the cipher has no kernel for so few.
 */
void hanji_eax_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job,
                     hanji_fleet_fn *single);
void hanji_cmac_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job,
                      hanji_fleet_fn *single);

#endif
#endif
