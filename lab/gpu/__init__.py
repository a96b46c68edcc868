# SPDX-License-Identifier: Apache-2.0
"""The GPU's side of the laboratory: the generator of the PTX kernels in src/gpu, and the instruments that look at them without a GPU."""
