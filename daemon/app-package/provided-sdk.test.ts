import { expect, test } from 'vitest';
import { providedSdk } from './provided-sdk.ts';

test('requirements of the SDK become bare, in every kind of string, and nothing else changes', () => {
  const text = `# needs "robot-sdk>=1.9" and isn't "done
[build-system]
requires = ["robot-sdk>=1.9", 'setuptools>=68']
build-backend = "robot.build"

[project]
name = "wave" # "robot-sdk==1.0"
description = "robot-sdk>=1.9"
keywords = ['robot-sdk>=1.9', "\\"robot-sdk>=1.9\\""]
dependencies = [
  "robot-sdk>=1.9", # the "robot"
  'robot_sdk[opencv] == 1.7.3 ; python_version >= "3.10"',
  """robot-sdk
>=1.9""", '''
robot<2''',
  "robot\\u002dsdk<2",
  "robot-sdk @ git+https://example.org/sdk.git@main",
  "robotics>=2", """"quoted" \\""" "robot-sdk>=3" """, '''isn't''',
]
optional-dependencies.dev = ["robot>=1.9", "pytest"]

[project.entry-points.robot_apps]
"robot-sdk>=1.9" = "wave.main:Wave"

[tool.other]
text = """
[project]
dependencies = ["robot-sdk>=1.9"]
"""
`;
  expect(providedSdk(text)).toBe(`# needs "robot-sdk>=1.9" and isn't "done
[build-system]
requires = ["robot-sdk", 'setuptools>=68']
build-backend = "robot.build"

[project]
name = "wave" # "robot-sdk==1.0"
description = "robot-sdk>=1.9"
keywords = ['robot-sdk>=1.9', "\\"robot-sdk>=1.9\\""]
dependencies = [
  "robot-sdk", # the "robot"
  "robot-sdk",
  "robot-sdk", "robot-sdk",
  "robot-sdk",
  "robot-sdk",
  "robotics>=2", """"quoted" \\""" "robot-sdk>=3" """, '''isn't''',
]
optional-dependencies.dev = ["robot-sdk", "pytest"]

[project.entry-points.robot_apps]
"robot-sdk>=1.9" = "wave.main:Wave"

[tool.other]
text = """
[project]
dependencies = ["robot-sdk>=1.9"]
"""
`);
});

test.each([
  ['line ends of another system', '[project]\r\nname = "wave"\r\ndependencies = [\r\n  "numpy", # one\r\n]\r\n'],
  ['a text that cannot be read', '[project\ndependencies = ["robot-sdk>=1.9"]'],
  ['a text without a project', 'dependencies = ["robot-sdk>=1.9"]'],
  ['nothing', ''],
])('%s stays as it is', (_name, text) => expect(providedSdk(text)).toBe(text));

test('a mark of byte order is left out, which builds cannot read', () => {
  expect(providedSdk('\uFEFF[project]\nname = "wave"\ndependencies = ["robot>=9"]\n')).toBe(
    '[project]\nname = "wave"\ndependencies = ["robot-sdk"]\n',
  );
});
