import type { Recording } from './recording.ts';

/** Output that suggests another cause than the real one. */
export const misleading: readonly Recording[] = [
  [
    'no-entry-like-variable',
    'exception',
    'hello_wave/main.py:4 key = os.environ.get("API_KEY") or spoken["OPENAI_API_KEY"]',
    "KeyError: 'OPENAI_API_KEY'.",
  ],
  [
    'no-entry-by-variable',
    'exception',
    'hello_wave/main.py:4 pose = poses[os.environ["PORT"][:0] + "BOW_POSE"]',
    "KeyError: 'BOW_POSE'.",
  ],
  ['no-field-like-variable', 'exception', 'hello_wave/main.py:8 Voice()', 'ValidationError'],
  ['no-constant-like-variable', 'exception', 'hello_wave/main.py:1 print(OPENAI_API_KEY)', 'NameError'],
  ['variable-then-other', 'exception', 'hello_wave/main.py:4 poses["bow"]', "KeyError: 'bow'."],
  ['variable-then-words', 'unknown', null, 'No moves in the folder moves.'],
  ['logged-401-then-other', 'exception', 'hello_wave/main.py:7 poses["bow"]', "KeyError: 'bow'."],
  ['logged-port-then-other', 'exception', 'hello_wave/main.py:6 1 / 0', 'ZeroDivisionError'],
  ['survived-then-other', 'exception', 'hello_wave/main.py:12 raise ValueError("no such pose")', 'no such pose'],
  ['survived-then-words', 'unknown', null, 'No moves in the folder moves.'],
  ['survived-then-port', 'port-in-use', null, 'Port 8700 is in use'],
  ['logged-then-exit', 'missing-module', 'hello_wave/main.py:6 import mediapipe', 'mediapipe'],
  ['failed-lifespan', 'missing-module', 'hello_wave/main.py:9 import mediapipe', 'mediapipe'],
  ['thread-after-main', 'exception', 'hello_wave/main.py:11 raise ValueError("no such pose")', 'no such pose'],
  ['handler-slips', 'exception', 'hello_wave/main.py:5 logger.warning("no hands")', "name 'logger' is not defined"],
];
