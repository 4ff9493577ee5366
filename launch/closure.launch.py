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


"""Show a robot with closed loops: closure node, robot_state_publisher, RViz and a joint source."""

from pathlib import Path
import subprocess
from tempfile import TemporaryDirectory

from ament_index_python.packages import get_package_prefix, PackageNotFoundError
from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from launch.actions import (
    DeclareLaunchArgument,
    GroupAction,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
)
from launch.event_handlers import OnShutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node, PushRosNamespace, SetParameter
from launch_ros.parameter_descriptions import ParameterValue
from riod_urdf_ros.exceptions import DescriptionError, RiodUrdfError
from riod_urdf_ros.resources import default_model, share_directory
from riod_urdf_ros.ros.motor_motion import driving_joints
from riod_urdf_ros.ros.parameter_file import known_joints_in
from riod_urdf_ros.ros.rviz_config import rviz_config
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from riod_urdf_ros.urdf.motors_only import motors_only

PACKAGE = 'riod_urdf_ros'


# All others go to the xacro.
_ARGUMENTS = ('model', 'source', 'rviz', 'namespace', 'frame_prefix', 'use_sim_time',
              'params_file')


def generate_launch_description() -> LaunchDescription:
    """Declare the arguments; the nodes follow once the model has been read."""
    share = share_directory()
    return LaunchDescription([
        DeclareLaunchArgument(
            'model', default_value=str(default_model()),
            description='URDF or xacro file of the robot; what else is given, such as arm:=0.4, '
                        'goes to the xacro'),
        DeclareLaunchArgument(
            'source', default_value='none', choices=['none', 'sweep', 'gui'],
            description='where the actuated joints come from: your driver, a sweep, or sliders'),
        DeclareLaunchArgument(
            'rviz', default_value='true', choices=['true', 'false'],
            description='whether to start RViz, if it is installed'),
        DeclareLaunchArgument(
            'namespace', default_value='', description='namespace of all nodes'),
        DeclareLaunchArgument(
            'frame_prefix', default_value='',
            description='put before the names of all frames, such as left/: two robots share /tf'),
        DeclareLaunchArgument(
            'use_sim_time', default_value='false', choices=['true', 'false'],
            description='whether to take the time from /clock'),
        DeclareLaunchArgument(
            'params_file', default_value=str(share / 'config' / 'closure.yaml'),
            description='parameters of all nodes'),
        OpaqueFunction(function=_nodes),
    ])


def _xacro_arguments(context: LaunchContext, model: Path) -> dict[str, str]:
    """Return what was given beside the arguments above: it is for the xacro."""
    if model.suffix != '.xacro':
        return {}
    return {name: value for name, value in context.launch_configurations.items()
            if name not in _ARGUMENTS and isinstance(value, str)}


def _nodes(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """Find out everything that can go wrong before the first node is started."""
    def value(name: str) -> str:
        return LaunchConfiguration(name).perform(context)

    source = value('source')
    _require('robot_state_publisher', *(['joint_state_publisher_gui'] if source == 'gui' else []))
    model, params_file = Path(value('model')), Path(value('params_file'))
    try:
        # Read here, not by a xacro command, so that a bad model stops the launch with its reasons.
        description = load(model, _xacro_arguments(context, model))
    except DescriptionError as error:
        raise RuntimeError(f'{model} cannot be used:\n{error}') from error
    robot = description.robot
    namespace = value('namespace').strip('/')
    try:
        known = known_joints_in(params_file, f'/{namespace}/closure_node'.replace('//', '/'))
        driving = driving_joints(ClosureSolver(robot, known_joints=known), known)
    except RiodUrdfError as error:
        raise RuntimeError(str(error)) from error
    prefix = {'frame_prefix': ParameterValue(value('frame_prefix'), value_type=str)}
    entities: list[LaunchDescriptionEntity] = [
        PushRosNamespace(namespace),
        SetParameter('use_sim_time', LaunchConfiguration('use_sim_time')),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             name='robot_state_publisher', parameters=[params_file, prefix, {
                 'robot_description': ParameterValue(description.text, value_type=str)}],
             # Joint states of the motors alone would give TF at two different stamps.
             remappings=[('joint_states', 'joint_states_complete')]),
        Node(package=PACKAGE, executable='closure_node', name='closure_node',
             exec_name='closure_node',
             parameters=[params_file, prefix], output='screen', prefix=_patient_start()),
    ]
    if source == 'sweep':
        entities.append(Node(
            package=PACKAGE, executable='sweep_node', name='sweep_node', output='screen',
            exec_name='sweep_node', prefix=_patient_start(),
            parameters=[params_file, *([{'known_joints': list(known)}] if known else [])]))
    # The programs that take no text, but files only, find them here until the end.
    folder = TemporaryDirectory(prefix=f'{PACKAGE}_')
    entities.append(RegisterEventHandler(OnShutdown(
        on_shutdown=lambda event, context: folder.cleanup())))
    if source == 'gui':
        path = Path(folder.name) / 'motors_only.urdf'
        path.write_text(motors_only(robot, [joint.name for joint in driving]), encoding='utf-8')
        entities.append(_sliders(path, params_file))
    if value('rviz') == 'true':
        path = Path(folder.name) / 'closure.rviz'
        path.write_text(rviz_config(robot, value('frame_prefix')), encoding='utf-8')
        entities.append(_rviz(path))
    return [GroupAction(entities)]


def _patient_start() -> list[LaunchConfiguration | str]:
    """
    Return a prefix under which an interrupt waits until the node can handle it.

    While Python itself starts it would end in a traceback. Not every env can do this.
    """
    prefix: list[LaunchConfiguration | str] = [LaunchConfiguration('launch-prefix', default='')]
    command = ['env', '--block-signal=INT']
    try:
        subprocess.run([*command, 'true'], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return prefix
    return [*prefix, ' ' + ' '.join(command)]


def _sliders(description: Path, params_file: Path) -> LaunchDescriptionEntity:
    # Later than 2.4.0 it listens to robot_description too, where it would learn of joints that
    # are no motors: on this topic there is nobody.
    return Node(
        package='joint_state_publisher_gui', executable='joint_state_publisher_gui',
        name='joint_state_publisher', arguments=[str(description)], parameters=[params_file],
        remappings=[('robot_description', 'motors_only_description')])


def _rviz(config: Path) -> LaunchDescriptionEntity:
    if not _installed('rviz2'):
        return LogInfo(msg='rviz2 is not installed: started without it (rviz:=false says so)')
    return Node(package='rviz2', executable='rviz2', name='rviz2', arguments=['-d', str(config)])


def _installed(package: str) -> bool:
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


def _require(*packages: str) -> None:
    missing = [package for package in packages if not _installed(package)]
    if missing:
        raise RuntimeError('not installed: ' + ', '.join(missing) + '; nothing was started')
