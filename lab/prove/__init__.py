# SPDX-License-Identifier: Apache-2.0
"""Proofs that kernels equal their specifications for all inputs: `hanji-lab prove`.

The parts, from the bottom: graph.py and core.cpp bits, words.py words and sums, values.py public
values, pcode.py machine code, ptx_text.py PTX, ptx.py its threads, lift.py specifications as bits,
contracts.py what headers promise, induct.py any number of groups, laps.py those of CTR in laps,
inner.py and counting.py what lies around loops over groups, launch.py all threads, ptx_sponges.py
AEADs of all threads, engines.py and sponges.py engines of sponges, lengths.py and fleets.py texts
of all lengths, messages.py and ragged.py whole messages in lanes, fields.py fields on polynomials
(forms.py), solving.py systems of equations, report.py verdicts.
rules.py, lifter.py and mutants.py check them.
docs/proofs.md says what a verdict means, SOUNDNESS.md what is trusted.
"""
