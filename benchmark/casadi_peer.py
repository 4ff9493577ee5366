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

"""CasADi: a whole step as C code, compiled with the C compiler's best, in a loop in C."""

from __future__ import annotations

from collections.abc import Sequence
import ctypes
from pathlib import Path
import shutil
import subprocess
from tempfile import TemporaryDirectory
from typing import Any

import casadi as ca
from mechanisms import Workload
from methods import Answer, depth_first, LAST_CORRECTION
import numpy as np
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.robot.transforms import Array, cross_matrix

COMPILER = shutil.which('cc')

_LOOP = """
/* past: the last four unknown vectors, newest first; positions and velocities are written. */
void follow(long rows, const double *u, const double *du, double *past, double *x, double *dx)
{
  double w[%(work)d], corrected[%(n)d], size;
  long long iw[%(integers)d];
  for (long row = 0; row < rows; ++row, u += %(known)d, du += %(known)d, x += %(n)d, dx += %(n)d) {
    for (int i = 0; i < %(n)d; ++i)
      x[i] = 4. * (past[i] + past[2 * %(n)d + i]) - 6. * past[%(n)d + i] - past[3 * %(n)d + i];
    for (int step = 0; step < 50; ++step) {
      const double *in[] = {u, du, x};
      double *out[] = {corrected, dx, &size};
      evaluate(in, out, iw, w, 0);
      memcpy(x, corrected, sizeof corrected);
      if (size < %(last)r) break;
    }
    memmove(past + %(n)d, past, 3 * sizeof corrected);
    memcpy(past, x, sizeof corrected);
  }
}
"""


class CasadiCompiled:
    """Gauss-Newton steps on CasADi's expressions, with a sparse LDL factorisation in the code."""

    def __init__(self, workload: Workload) -> None:
        self._known = workload.independent
        self._unknown = tuple(joint.name for joint in workload.robot.moving_joints
                              if joint.name not in self._known)
        self.follow = _compiled(workload.robot, self._known, self._unknown)
        self._u = (ctypes.c_double * len(self._known))()
        self._du = (ctypes.c_double * len(self._known))()
        self._x = (ctypes.c_double * len(self._unknown))()
        self._dx = (ctypes.c_double * len(self._unknown))()
        self._past = (ctypes.c_double * (4 * len(self._unknown)))()

    def start(self) -> None:
        """Go back home."""
        self._past[:] = [0.0] * len(self._past)

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """Find all joint positions."""
        self._u[:] = list(values)
        if rates:
            self._du[:] = list(rates)
        self.follow(1, self._u, self._du, self._past, self._x, self._dx)
        if rates:
            return values, self._x[:], rates, self._dx[:]
        return values, self._x[:]

    def batch(self, u: Array) -> Array:
        """Return the unknown joints of many rows, shape (rows, unknown joints)."""
        x = np.empty((len(u), len(self._unknown)))
        pointer = [np.ascontiguousarray(a).ctypes.data_as(ctypes.POINTER(ctypes.c_double))
                   for a in (u, np.zeros_like(u), x, np.empty_like(x))]
        self.follow(len(u), *pointer[:2], self._past, *pointer[2:])
        return x

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return the names of the columns of :meth:`batch`."""
        return self._unknown

    def read(self, answer: Any) -> Answer:
        """Return an answer by joint."""
        values, x, *rates = answer
        names = (*self._known, *self._unknown)
        return Answer(dict(zip(names, (*values, *x))),
                      dict(zip(names, (*rates[0], *rates[1]))) if rates else {})


def _compiled(robot: Robot, known: Sequence[str], unknown: Sequence[str]) -> Any:
    """Return the C function ``follow`` of a robot."""
    u, du, x = (ca.SX.sym(name, size) for name, size in (
        ('u', len(known)), ('du', len(known)), ('x', len(unknown))))
    r = _residual(robot, dict(zip((*known, *unknown), ca.vertsplit(ca.vertcat(u, x)))))
    J, drive = ca.jacobian(r, x), ca.jtimes(r, u, du)
    D, LT, order = ca.ldl(J.T @ J)
    solved = ca.ldl_solve(J.T @ ca.horzcat(r, drive), D, LT, order)
    dx = solved[:, 0]
    step = ca.Function('evaluate', [u, du, x], [x - dx, -solved[:, 1], ca.sumsqr(dx)])
    sizes = {'work': max(1, step.sz_w()), 'integers': max(1, step.sz_iw()), 'n': len(unknown),
             'known': len(known), 'last': LAST_CORRECTION ** 2}
    assert COMPILER is not None
    with TemporaryDirectory() as folder:
        code = ca.CodeGenerator('step')
        code.add(step)
        code.generate(f'{folder}/')
        source, library = Path(folder) / 'step.c', Path(folder) / 'step.so'
        source.write_text(f'#include <string.h>\n{source.read_text()}{_LOOP % sizes}')
        subprocess.run([COMPILER, '-O3', '-march=native', '-shared', '-fPIC', '-o', library,
                        source, '-lm'], check=True)
        follow = ctypes.CDLL(str(library)).follow
    follow.restype = None
    follow.argtypes = [ctypes.c_long, *[ctypes.POINTER(ctypes.c_double)] * 5]
    return follow


def _residual(robot: Robot, q: dict[str, ca.SX]) -> ca.SX:
    """Return what the point closures are open by, m."""
    poses = {robot.root: ca.SX.eye(4)}
    for joint in depth_first(robot):
        T = poses[joint.parent] @ ca.SX(ca.sparsify(ca.DM(joint.T_parent_joint), 1e-15))
        if joint.moving:
            T = T @ _motion(joint.kind, joint.axis, q[joint.name])
        poses[joint.child] = T
    return ca.vertcat(*(poses[closure.frame_b][:3, 3] - poses[closure.frame_a][:3, 3]
                        for closure in robot.closures))


def _motion(kind: str, axis: Array, position: ca.SX) -> ca.SX:
    T = ca.SX.eye(4)
    if kind == 'prismatic':
        T[:3, 3] = axis * position
    else:
        K = ca.sparsify(ca.DM(cross_matrix(axis)))
        T[:3, :3] += ca.sin(position) * K + (1.0 - ca.cos(position)) * (K @ K)
    return T
