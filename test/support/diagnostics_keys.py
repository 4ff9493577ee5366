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

"""Keys of the diagnostics, in their order: an interface that others read."""

INPUT_KEYS = [
    'topic', 'rate_hz', 'received', 'published', 'unused', 'skipped', 'other_publishers',
    'missing_joints', 'silent_joints',
    'refused_lengths', 'refused_echoes', 'bad_positions', 'bad_velocities', 'bad_efforts',
    'repeated_names', 'time_jumps', 'bad_stamps', 'overflows', 'failures']
LOOP_KEYS = [
    'state', 'worst_state', 'held', 'residual', 'iterations', 'singularity', 'solve_time_ms',
    'longest_solve_time_ms', 'mode_changes', 'unsolved', 'missing_joints', 'limit_violations',
    'notes']
DESCRIPTION_KEYS = [
    'robot', 'source', 'moving_joints', 'closures', 'loop_groups', 'warnings', 'errors']
