import type { Recording } from './recording.ts';

/** Modules that cannot be imported, misuse of the SDK, and mistakes of syntax. */
export const imports: readonly Recording[] = [
  ['missing-module', 'missing-module', 'hello_wave/main.py:2 import mediapipe', 'the Python package mediapipe'],
  ['missing-own-module', 'missing-module', 'hello_wave/main.py:1 from hello_wave.moves import dance', 'Its own module'],
  ['missing-main', 'missing-module', null, 'has no __main__ module'],
  ['missing-stdlib', 'python-version', 'hello_wave/main.py:1 import distutils.util', 'distutils'],
  ['newer-stdlib', 'python-version', 'hello_wave/main.py:1 from typing import override', 'override of typing'],
  ['newer-syntax', 'python-version', 'hello_wave/main.py:2 match word:', 'hello_wave/main.py, line 2'],
  ['newer-text', 'python-version', 'hello_wave/main.py:2 print(f"{words["hello"]}")', 'hello_wave/main.py, line 2'],
  [
    'sdk-module',
    'sdk-too-old',
    'hello_wave/main.py:1 from robot.motion.recorded_move import RecordedMoves',
    'SDK 1.0.0',
  ],
  ['sdk-name', 'sdk-too-old', 'hello_wave/main.py:1 from robot import RobotApp, Recorder', 'It uses Recorder of robot'],
  ['sdk-attribute', 'sdk-too-old', 'hello_wave/main.py:3 robot.discover()', 'It uses discover'],
  ['sdk-method', 'sdk-too-old', 'hello_wave/main.py:5 robot.get_frame()', 'It uses get_frame'],
  ['sdk-argument', 'sdk-too-old', 'hello_wave/main.py:3 Robot(camera="front")', 'It passes camera to'],
  [
    'sdk-fewer-arguments',
    'sdk-too-new',
    'hello_wave/main.py:3 Robot.__new__(Robot).look_at_world(1.0)',
    'look_at_world',
  ],
  ['old-protocol', 'sdk-too-old', 'hello_wave/main.py:3 raise RobotConnectionError(', 'no longer supports'],
  ['circular-import', 'import-error', 'hello_wave/poses.py:1 from hello_wave.moves import dance', 'import each other'],
  [
    'other-library-version',
    'import-error',
    'hello_wave/main.py:1 from numpy import float_sums',
    'numpy has no float_sums',
  ],
  ['shared-library', 'import-error', 'hello_wave/main.py:1 import sounddevice', 'PortAudio'],
  ['system-library', 'import-error', 'hello_wave/main.py:1 import cv2', 'libGL.so.1'],
  ['system-library-windows', 'import-error', 'hello_wave/main.py:2 import torch', 'compiled part'],
  ['syntax-error', 'syntax-error', 'hello_wave/main.py:1 def run(:', 'hello_wave/main.py, line 1: invalid syntax.'],
  ['syntax-error-deeper', 'syntax-error', 'hello_wave/moves.py:1 dance = [', "'[' was never closed"],
];
