/* SPDX-License-Identifier: Apache-2.0 */
/* What test firmware for RV32 needs beside libhanji; that of the laboratory needs the same. */
#include "../../lab/measure/bare.h"
