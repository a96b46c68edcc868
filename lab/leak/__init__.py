# SPDX-License-Identifier: Apache-2.0
"""Power analysis of first order, by simulation: does what a core does depend on a masked secret?

`subject` is the kernel and the inputs of its traces, `rtl` and `isa` make the traces, `welch` tests
them, `campaign` runs many of them and continues an interrupted run, `controls` has the planted
faults that must be found. docs/leakage.md says what is seen and what is not.
"""
