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
from tempfile import TemporaryDirectory

from launch import LaunchContext, LaunchDescription, LaunchDescriptionEntity
from launch.actions import DeclareLaunchArgument, GroupAction, OpaqueFunction, RegisterEventHandler
from launch.conditions import IfCondition
from launch.event_handlers import OnShutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node, PushRosNamespace, SetParameter
from launch_ros.parameter_descriptions import ParameterValue
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.resources import default_model, share_directory
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.urdf.loader import load
from riod_urdf_ros.urdf.motors_only import motors_only

PACKAGE = 'riod_urdf_ros'


def generate_launch_description() -> LaunchDescription:
    """Declare the arguments; the nodes follow once the model has been read."""
    share = share_directory()
    return LaunchDescription([
        DeclareLaunchArgument(
            'model', default_value=str(default_model()),
            description='URDF or xacro file of the robot'),
        DeclareLaunchArgument(
            'source', default_value='none', choices=['none', 'sweep', 'gui'],
            description='where the actuated joints come from: your driver, a sweep, or sliders'),
        DeclareLaunchArgument(
            'rviz', default_value='true', choices=['true', 'false'],
            description='whether to start RViz'),
        DeclareLaunchArgument(
            'namespace', default_value='', description='namespace of all nodes'),
        DeclareLaunchArgument(
            'use_sim_time', default_value='false', choices=['true', 'false'],
            description='whether to take the time from /clock'),
        DeclareLaunchArgument(
            'params_file', default_value=str(share / 'config' / 'closure.yaml'),
            description='parameters of the nodes'),
        OpaqueFunction(function=_nodes),
    ])


def _nodes(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    model = LaunchConfiguration('model').perform(context)
    try:
        # Read here, not by a xacro command, so that a bad model stops the launch with its reasons.
        description = load(Path(model))
    except DescriptionError as error:
        raise RuntimeError(f'{model} cannot be used:\n{error}') from error
    robot = description.robot
    params_file = LaunchConfiguration('params_file')
    entities: list[LaunchDescriptionEntity] = [
        PushRosNamespace(LaunchConfiguration('namespace')),
        SetParameter('use_sim_time', LaunchConfiguration('use_sim_time')),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(description.text, value_type=str)}],
             # Joint states of the motors alone would give TF at two different stamps.
             remappings=[('joint_states', 'joint_states_complete')]),
        Node(package=PACKAGE, executable='closure_node', name='closure_node',
             parameters=[params_file], output='screen'),
        Node(package='rviz2', executable='rviz2', name='rviz2',
             arguments=['-d', str(share_directory() / 'config' / 'closure.rviz'),
                        '-f', robot.root],
             condition=IfCondition(LaunchConfiguration('rviz'))),
    ]
    source = LaunchConfiguration('source').perform(context)
    if source == 'sweep':
        entities.append(Node(
            package=PACKAGE, executable='sweep_node', name='sweep_node',
            parameters=[params_file], output='screen'))
    elif source == 'gui':
        entities += _sliders(robot)
    return [GroupAction(entities)]


def _sliders(robot: Robot) -> list[LaunchDescriptionEntity]:
    # joint_state_publisher_gui has no way to leave joints out but another description, and takes
    # that from a file only.
    folder = TemporaryDirectory(prefix=f'{PACKAGE}_')
    path = Path(folder.name) / 'motors_only.urdf'
    path.write_text(motors_only(robot), encoding='utf-8')
    return [
        Node(package='joint_state_publisher_gui', executable='joint_state_publisher_gui',
             arguments=[str(path)]),
        RegisterEventHandler(OnShutdown(on_shutdown=lambda event, context: folder.cleanup())),
    ]
