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

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from riod_urdf_ros import parse
from riod_urdf_ros.resources import default_model, share_directory

launch = pytest.importorskip('launch')
launch_ros = pytest.importorskip('launch_ros.actions')


@pytest.fixture
def launch_file() -> ModuleType:
    path = share_directory() / 'launch' / 'closure.launch.py'
    spec = spec_from_file_location('closure_launch', path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expand(launch_file: ModuleType, **arguments: str) -> tuple[Any, list[Any]]:
    """Return all actions that the launch file comes down to, with the context they ran in."""
    context = launch.LaunchContext()
    context.launch_configurations.update(arguments)
    pending, actions = list(launch_file.generate_launch_description().entities), []
    while pending:
        action = pending.pop(0)
        actions.append(action)
        if isinstance(action, launch_ros.Node):
            if action.condition is None or action.condition.evaluate(context):
                action._perform_substitutions(context)
        elif isinstance(action, (
                launch.actions.DeclareLaunchArgument, launch.actions.GroupAction,
                launch.actions.OpaqueFunction, launch_ros.PushRosNamespace)):
            pending = list(action.execute(context) or ()) + pending
    return context, actions


def nodes(launch_file: ModuleType, **arguments: str) -> dict[str, Any]:
    context, actions = expand(launch_file, **arguments)
    return {
        action.node_executable: action for action in actions
        if isinstance(action, launch_ros.Node)
        and (action.condition is None or action.condition.evaluate(context))}


def test_arguments(launch_file: ModuleType) -> None:
    declared = {
        action.name: action
        for action in launch_file.generate_launch_description().entities
        if isinstance(action, launch.actions.DeclareLaunchArgument)}
    assert set(declared) == {
        'model', 'source', 'rviz', 'namespace', 'use_sim_time', 'params_file'}
    assert all(action.description for action in declared.values())


@pytest.mark.parametrize('arguments, expected', [
    ({}, {'rviz2'}),
    ({'rviz': 'false'}, set()),
    ({'source': 'sweep', 'rviz': 'false'}, {'sweep_node'}),
    ({'source': 'gui', 'rviz': 'false'}, {'joint_state_publisher_gui'})])
def test_nodes(
        launch_file: ModuleType, arguments: dict[str, str], expected: set[str]) -> None:
    assert set(nodes(launch_file, **arguments)) == {
        'robot_state_publisher', 'closure_node', *expected}


def test_robot_state_publisher_hears_complete_states_only(launch_file: ModuleType) -> None:
    node = nodes(launch_file, rviz='false')['robot_state_publisher']
    assert node.expanded_remapping_rules == [('joint_states', 'joint_states_complete')]


def test_everything_is_in_the_namespace(launch_file: ModuleType) -> None:
    for node in nodes(launch_file, namespace='left', source='gui').values():
        assert node.expanded_node_namespace == '/left'


def test_sliders_are_for_the_motors(launch_file: ModuleType) -> None:
    context, actions = expand(launch_file, source='gui', rviz='false')
    gui, = (action for action in actions if isinstance(action, launch_ros.Node)
            and action.node_executable == 'joint_state_publisher_gui')
    path = Path(gui.cmd[1][0].perform(context))
    assert [joint.name for joint in parse(path.read_text()).robot.moving_joints] == ['crank']
    shutdown, = (action for action in actions
                 if isinstance(action, launch.actions.RegisterEventHandler))
    shutdown.event_handler.handle(launch.events.Shutdown(), context)
    assert not path.exists()


def test_bad_model_stops_the_launch_with_its_reasons(
        launch_file: ModuleType, tmp_path: Path) -> None:
    model = tmp_path / 'model.urdf'
    model.write_text(default_model().read_text().replace('value="false"', 'value="no"'))
    with pytest.raises(RuntimeError, match='model.urdf cannot be used:\n.*no'):
        nodes(launch_file, model=str(model))
