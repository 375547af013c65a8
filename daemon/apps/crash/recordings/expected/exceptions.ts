import type { Recording } from './recording.ts';

/** The program's own exceptions, and its own words. */
export const exceptions: readonly Recording[] = [
  [
    'abort-after-exception',
    'exception',
    'hello_wave/main.py:4 raise ValueError("no such pose")',
    'ValueError: no such pose.',
  ],
  ['exception', 'exception', 'hello_wave/main.py:3 return poses["bow"]', "KeyError: 'bow'."],
  ['exception-newest', 'exception', 'hello_wave/main.py:3 a["one"]', 'ZeroDivisionError: division by zero.'],
  ['in-library', 'exception', 'hello_wave/main.py:3 settings = json.loads("{")', 'json.decoder.JSONDecodeError'],
  ['caused', 'network', 'hello_wave/main.py:5 socket.create_connection(("127.0.0.1", 9))', 'does not answer'],
  ['group', 'out-of-memory', 'hello_wave/main.py:5 raise MemoryError("frame of 4 GB")', 'The memory ran out.'],
  [
    'group-several',
    'exception',
    'hello_wave/main.py:8 raise RuntimeError("in the end") from group',
    'RuntimeError: in the end.',
  ],
  ['thread-then-exit', 'missing-module', 'hello_wave/main.py:6 import mediapipe', 'mediapipe'],
  ['recursion', 'exception', 'hello_wave/main.py:2 return run(n + 1)', 'RecursionError'],
  ['cut-off', 'exception', 'hello_wave/main.py:20 return limits[joint]', "KeyError: 'neck'."],
  ['checkout', 'missing-module', 'hello_wave/main.py:3 import requests', 'urllib3'],
  ['pretty-traceback', 'exception', null, "KeyError: 'bow'."],
  [
    'secret',
    'exception',
    'hello_wave/main.py:5 raise ValueError(f"cannot use Bearer {token} with password=…")',
    'cannot use Bearer hf_… with password=…',
  ],
  ['own-words', 'unknown', null, 'Its last output: No moves in the folder moves.'],
  ['silent', 'unknown', null, 'exit code 4 and without an error message'],
];
