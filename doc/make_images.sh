#!/usr/bin/env bash
# Draws the pictures of README and doc anew: doc/make_images.sh [COMMAND], riod_urdf unless told.
set -euo pipefail
cd "$(dirname "$0")/.."
command=${1:-riod_urdf}
draw() {
    local model=$1 picture=$2
    shift 2
    $command plot "urdf/$model" "$@" -o "doc/images/$picture"
}
draw four_bar.urdf four_bar.gif --sweep crank
draw delta.urdf.xacro delta.gif --sweep motor_1
draw stewart.urdf.xacro stewart.gif --sweep leg_1
draw gripper.urdf.xacro gripper.gif --sweep motor
draw excavator.urdf.xacro excavator.gif --sweep boom_ram
draw four_bar.urdf four_bar_curves.png --sweep crank --curves
