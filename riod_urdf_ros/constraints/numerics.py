# Copyright 2026 RioD URDF ROS developers
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.


"""
The constants of the numerics: what decides, in one place, each with its unit and the reason.

The table at the end of doc/how_it_decides.md has them as well, and a test compares the two.
"""

from __future__ import annotations

# Ranks and small singular values.

RANK_TOLERANCE = 1e-4
"""
Of the largest singular value: those below count as zero: file rounding (1.5708) turns zeros into
1e-5, and the mechanisms at hand stay above 1e-3 away from singular positions.
"""

BOUND_TOLERANCE = 1e-3
"""Of the largest singular value: those below do not raise a velocity."""

STRUCTURE_TOLERANCE = 1e-3
"""
Of the largest singular value, columns of unit length: those below count as zero in the
structure: an axis that is written with 1.57 is off by 8e-4.
"""

NO_LEVER = 1e-4
"""Of the longest column: a column below is no lever, but what rounding has left."""

ON_AXIS = 1e-7
"""
Of the robot's size; rad: a point nearer to an axis lies on it, and directions as near are the
same: what file rounding leaves is no lever.
"""

# The structure next to home.

VICINITY_SIZES = (0.3, 0.1)
"""Rad, characteristic lengths: distances from home, tried in this order."""

DIRECTIONS = 24
"""Directions: tried while something is still undetermined."""

FEWEST_DIRECTIONS = 3
"""Directions: that are always tried."""

WAY_SIZES = (0.1, 0.03, 0.01)
"""
Rad, characteristic lengths: how far the motors are moved from a singular home, tried in this
order.
"""

WAY_BACK = 0.2
"""Of the way: gone back to see whether it comes from home."""

WAY_STARTS = 16
"""Starts: besides the one straight on, for each direction in which home leaves joints free."""

MOTORS_TOLD = 3
"""Motors: whose ways are told one by one."""

CANNOT_BE_ASSEMBLED = 0.03
"""
Of a loop's size; rad: a mechanism that stays open by more is not the one that was meant; CAD
exports are inconsistent by up to millimetres.
"""

ALONG_HINGES = 0.25
"""
Of a loop's size: a planar loop that is open by more along its hinges is not the one that was
meant: a joint moves nothing there, and pins drawn in different planes do no harm.
"""

GROSSLY_OPEN = 0.3
"""Of a loop's size: a gap beyond is more than a drawing that is a little off."""

PLANAR = 2e-3
"""
Rad: hinges as near to parallel make a planar loop: an axis that is written with 1.57 is off by
8e-4.
"""

NEAREST = 0.2
"""Rad, characteristic lengths: a pose that closes so near to the start is taken as the nearest."""

START_SIZES = (0.3, 1.0, 2.0)
"""Rad, characteristic lengths: how far away other starts of the assembly are."""

CURVED = 2
"""Directions: of least curvature, in which they lie."""

SPREAD = 4
"""Directions: others, in which they lie."""

AS_NEAR = 1e-4
"""Rad, characteristic lengths: distances from the start that count as equal: mirror images."""

# A step.

ORDER = 3
"""Order: of the extrapolation that starts a step."""

FINISHED = 1e-13
"""
Square of rad, characteristic lengths: a correction below is the last one: it leaves an error of
about its own square, the floor of double precision.
"""

MOST_EVALUATIONS = 5
"""Evaluations: Newton's method has converged by then, or the prediction was too far away."""

LARGEST_CHANGE = 0.5
"""Kappa: the largest of a step that counts as proven: below 1, and with room for the tube."""

HALVINGS = 4
"""Halvings: of the way before it is followed with care."""

PARALLEL = 1e-6
"""
Of the rates: up to here velocities of the motors go on in the direction of the path that led
here.
"""

MOST_UNKNOWNS = 2
"""Unknown joints: up to here Cramer's rule in generated code is faster than a call of LAPACK."""

COMPILED_AFTER = 100
"""Steps: then a block is worth a compiler's time, which a short program needs itself."""

MOST_IN_MACHINE_CODE = 18
"""
Unknown joints: of a block in machine code: the code grows with their cube, and so does the
compiler's time.
"""

# Following a path.

BUDGET = 12000
"""Evaluations times unknowns: that a path may take at once."""

LEAST_BUDGET = 1000
"""Evaluations: that a path always may take, near singular positions."""

SMALLEST_STEP = 1e-8
"""Of the path: it ends where sub-steps become shorter."""

HEALTHY_STEP = 1e-5
"""
Of the path: where sub-steps are this long when the budget is spent, it is not blocked but long.
"""

WANTED_CHANGE = 0.35
"""Kappa: that the next sub-step is chosen to make: 0.7 of the largest, so that few are refused."""

CHOICES = 3
"""Times: that joints which stay still are chosen again on one path."""

AS_FAR_OUT = 0.2
"""
Of how far out it was: a position this near to one that was out of reach is so as well, if the
closures do not fit there either.
"""

ASIDE = (0.0, 0.5, -0.5)
"""
Rad, characteristic lengths: motion in the singular direction from which a fit beyond a blocked
path is tried.
"""

ANYWHERE = 12
"""Starts: anywhere, where the loops close beyond a blocked path but not yet in the same mode."""

CLOSED = 1e-9
"""Norm of the scaled residual: a loop is closed below, but for rounding."""

# Change points and dead centres.

NEAR_SINGULAR = 0.05
"""Of the largest singular value: where the smallest is below, a change point may be near."""

MEETING = 2e-6
"""
Characteristic lengths: residual below which two branches meet: what file rounding makes of an
exact change point; above, they only pass each other, and the mechanism turns off.
"""

STRETCH = 0.1
"""
Rad, characteristic lengths: motion through a change point: long enough for branches that only
pass each other to be told apart, short enough for one cubic.
"""

PLACES = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
"""Of the stretch: where it is looked whether the closures hold."""

TURN = 0.3
"""Of the speed: the branch goes on beyond in the direction in which it came."""

FAST = 20.0
"""Times all others: at a dead centre the unknown joints become faster without bound."""

REGULAR = 1e-3
"""Of the largest singular value: positions can be corrected where the others are above."""

# Velocities, efforts and targets.

IMAGINARY_STEP = 1e-100
"""
Of the motion: that is made along the imaginary axis to differentiate: nothing cancels, so it can
be so small that its square vanishes.
"""

LOST_WORK = 1e-9
"""Of the work: that may be missing where efforts are mapped: rounding."""

REACH_STEP = 0.1
"""Rad, robot sizes: the largest step of independent joints, and of what the frames are to move."""

REACH_STEPS = 400
"""Steps: towards targets at most."""

REACH_FLOOR = 1e-13
"""Rad, robot sizes: steps and errors below are rounding."""

STATIONARY = 1e-7
"""Of an error: that a step has to promise, else the position is stationary."""

REACH_HALVINGS = 24
"""Halvings: of a step that gains nothing."""

# Verdicts.

STRAINED = 10.0
"""Tolerances: up to here a loop is followed as the best fit: noise of motors tied together."""

# Batches.

LENGTH = 1024
"""Rows: of the first stretch."""

SHORTEST = 8
"""Rows: what would be shorter is solved one by one."""

LONGEST = 8192
"""Rows: of a stretch at most."""

STRIDE = 64
"""Rows: skipped at first before the gaps are filled in."""

NARROWEST = 4
"""Rows: skipped at least."""

BATCH_STEPS = 4
"""Corrections: of a guess; then it was too far away."""

CHUNK = 512
"""Rows: corrected at once: their Jacobians fit into the cache."""

SUBSTEPS = 16
"""Sub-steps: equal ones, of the straight path from home."""

# Assembly modes.

PATIENCE = 25
"""
Starts an unknown joint: without a new solution, after which a block's solutions count as found.
"""

MOST_STARTS = 4000
"""Starts: that are tried at most."""

MOST_MODES = 256
"""Modes: listed at most: a chain of loops has as many as the product of its loops."""

SAME_POSE = 1e-4
"""Rad, characteristic lengths: poses that are nearer are the same."""

MODE_STEPS = 24
"""Steps: of a motor's way by which it is looked for the way from one mode to another."""

MODE_ASIDE = 0.2
"""Rad, characteristic lengths: motion that tells the two branches at a dead centre apart."""
