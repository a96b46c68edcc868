/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file hanji.h
 * @brief All of hanji: include this, or only the header of the kind that you need.
 */
#ifndef HANJI_HANJI_H
#define HANJI_HANJI_H

#include "hanji/aead.h"
#include "hanji/block.h"
#include "hanji/common.h"
#include "hanji/fleet.h"
#include "hanji/hash.h"
#include "hanji/mac.h"
#include "hanji/sign.h"
#include "hanji/slhdsa.h"
#include "hanji/telemetry.h"

#endif
