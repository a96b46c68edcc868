/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANOTHER_BOARD
#define CONFIG_IDF_TARGET_ESP32 1
#endif
