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
def launch_file(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path = share_directory() / 'launch' / 'closure.launch.py'
    spec = spec_from_file_location('closure_launch', path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    # Whatever is installed here, RViz and the GUI are taken for present.
    monkeypatch.setattr(module, '_installed', lambda package: True)
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


def test_other_arguments_are_those_of_the_xacro(
        launch_file: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.urdf.xacro'
    path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg '
                    'name="tip" default="a"/><link name="$(arg tip)"/></robot>')
    assert nodes(launch_file, model=str(path), tip='hand')
    with pytest.raises(RuntimeError, match='has no name'):
        nodes(launch_file, model=str(path), tip='')


def test_arguments(launch_file: ModuleType) -> None:
    declared = {
        action.name: action
        for action in launch_file.generate_launch_description().entities
        if isinstance(action, launch.actions.DeclareLaunchArgument)}
    assert set(declared) == {
        'model', 'source', 'rviz', 'namespace', 'frame_prefix', 'use_sim_time', 'params_file'}
    assert set(declared) == set(launch_file._ARGUMENTS)
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


def sliders(launch_file: ModuleType, **arguments: str) -> list[str]:
    """Return the joints that the GUI would show, and see that their file is gone afterwards."""
    context, actions = expand(launch_file, source='gui', rviz='false', **arguments)
    gui, = (action for action in actions if isinstance(action, launch_ros.Node)
            and action.node_executable == 'joint_state_publisher_gui')
    path = Path(gui.cmd[1][0].perform(context))
    found = [joint.name for joint in parse(path.read_text()).robot.moving_joints]
    shutdown, = (action for action in actions
                 if isinstance(action, launch.actions.RegisterEventHandler))
    shutdown.event_handler.handle(launch.events.Shutdown(), context)
    assert not path.exists()
    return found


def test_sliders_are_for_the_motors(launch_file: ModuleType) -> None:
    assert sliders(launch_file) == ['crank']


def test_gui_does_not_hear_of_passive_joints(launch_file: ModuleType) -> None:
    node = nodes(launch_file, source='gui', rviz='false')['joint_state_publisher_gui']
    (heard, instead), = node.expanded_remapping_rules
    assert heard == 'robot_description' and instead != heard


def test_known_joints_are_moved_instead_of_the_motors(
        launch_file: ModuleType, tmp_path: Path) -> None:
    params = tmp_path / 'params.yaml'
    params.write_text('/**/closure_node:\n  ros__parameters:\n    known_joints: [rocker]\n')
    assert sliders(launch_file, params_file=str(params)) == ['rocker']
    node = nodes(launch_file, source='sweep', rviz='false',
                 params_file=str(params))['sweep_node']
    assert any('rocker' in Path(name).read_text() for name, is_file in parameters(node)
               if is_file and name != str(params))


def parameters(node: Any) -> list[tuple[str, bool]]:
    """Return the parameter files of a node."""
    return list(node._Node__expanded_parameter_arguments)


def test_parameters_reach_every_node(launch_file: ModuleType, tmp_path: Path) -> None:
    params = tmp_path / 'params.yaml'
    params.write_text('/**:\n  ros__parameters:\n    any: 1\n')
    for source in ('sweep', 'gui'):
        for name, node in nodes(
                launch_file, source=source, rviz='false', params_file=str(params)).items():
            assert (str(params), True) in parameters(node), name


def test_our_parameters_thin_no_tf_of_a_usual_robot() -> None:
    yaml = pytest.importorskip('yaml')
    ours = yaml.safe_load((share_directory() / 'config' / 'closure.yaml').read_text())
    block = ours['/**/robot_state_publisher']['ros__parameters']
    assert 100.0 <= block['publish_frequency'] <= 1000.0


def test_frame_prefix_reaches_who_publishes_frames(launch_file: ModuleType) -> None:
    found = nodes(launch_file, frame_prefix='left/', source='sweep')
    for name in ('robot_state_publisher', 'closure_node'):
        assert any('left/' in Path(file).read_text() for file, _ in parameters(found[name]))


def test_without_rviz_it_says_so_and_starts_the_others(
        launch_file: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch_file, '_installed', lambda package: package != 'rviz2')
    assert set(nodes(launch_file)) == {'robot_state_publisher', 'closure_node'}
    _, actions = expand(launch_file)
    words = [action for action in actions if isinstance(action, launch.actions.LogInfo)]
    assert len(words) == 1


def test_what_is_missing_is_said_before_anything_starts(
        launch_file: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch_file, '_installed', lambda package: False)
    with pytest.raises(RuntimeError, match='joint_state_publisher_gui'):
        expand(launch_file, source='gui')


def test_bad_model_stops_the_launch_with_its_reasons(
        launch_file: ModuleType, tmp_path: Path) -> None:
    model = tmp_path / 'model.urdf'
    model.write_text(default_model().read_text().replace('value="false"', 'value="no"'))
    with pytest.raises(RuntimeError, match='model.urdf cannot be used:\n.*no'):
        nodes(launch_file, model=str(model))
