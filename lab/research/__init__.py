# SPDX-License-Identifier: Apache-2.0
"""Kernels for comparison that are no part of the library: designs that papers describe, and widths
that no standard has.
"""
