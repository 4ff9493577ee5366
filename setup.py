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


"""Build and install the package, with pip as well as with colcon."""

from glob import glob

from setuptools import find_packages, setup

package_name = 'riod_urdf_ros'
share = f'share/{package_name}'

setup(
    name=package_name,
    version='0.1.0',
    description='Closed kinematic loops in URDF for ROS 2.',
    author='RioD URDF ROS developers',
    maintainer='RioD URDF ROS developers',
    maintainer_email='developers@riod-urdf-ros.invalid',
    license='Apache-2.0',
    packages=find_packages(include=[package_name, f'{package_name}.*']),
    package_data={package_name: ['py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{package_name}']),
        (share, ['package.xml']),
        (f'{share}/launch', glob('launch/*.launch.py')),
        (f'{share}/config', glob('config/*')),
        (f'{share}/urdf', glob('urdf/*')),
    ],
    python_requires='>=3.10',
    install_requires=['lxml', 'numpy', 'pyyaml', 'rich', 'urdfdom-py', 'xacro'],
    extras_require={
        'bag': ['rosbags>=0.11'],
        'completion': ['argcomplete'],
        'fast': ['llvmlite>=0.44'],
        'mjcf': ['mujoco>=3.3.7'],
        'pinocchio': ['pin>=3'],
        'placo': ['placo'],
        'plot': ['matplotlib'],
        'test': ['hypothesis', 'pytest'],
        # pycollada: meshes in ROS packages are Collada files as often as not.
        'view': ['pycollada', 'viser>=1.0'],
    },
    zip_safe=False,
    entry_points={
        'console_scripts': [
            'closure_demo = riod_urdf_ros.ros.entry_points:closure_demo',
            'closure_node = riod_urdf_ros.ros.entry_points:closure_node',
            'command_node = riod_urdf_ros.ros.entry_points:command_node',
            'riod_urdf = riod_urdf_ros.cli.main:main',
            'sweep_node = riod_urdf_ros.ros.entry_points:sweep_node',
        ],
    },
)
