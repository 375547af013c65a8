import type { CrashCause } from '../../../contract/apps/diagnosis.ts';

/** A recording, and what its diagnosis holds: the cause, the app's own line, and a piece of the message. */
export type Recording = readonly [name: string, cause: CrashCause, own: string | null, piece: string];

/** Memory that runs out, and signals that end the process. */
export const endings: readonly Recording[] = [
  ['memory-array', 'out-of-memory', 'hello_wave/main.py:3 np.ones((1_000_000, 1_000_000))', '7.28 TiB'],
  ['memory', 'out-of-memory', 'hello_wave/main.py:2 return bytearray(1 << 62)', 'The memory ran out.'],
  ['memory-graphics', 'out-of-memory', 'hello_wave/main.py:11 model.to("cuda")', 'graphics card'],
  ['memory-abort', 'out-of-memory', null, 'SIGABRT'],
  ['killed', 'killed-by-signal', null, 'The system or another program killed it (SIGKILL).'],
  ['killed-child', 'killed-by-signal', null, 'exit code 137'],
  ['terminated', 'killed-by-signal', null, 'Another program likely ended it (SIGTERM).'],
  ['segfault', 'killed-by-signal', 'hello_wave/main.py:5 null', 'A compiled part of it crashed (SIGSEGV).'],
  ['segfault-silent', 'killed-by-signal', null, 'A compiled part of it crashed (SIGSEGV).'],
  ['abort', 'killed-by-signal', null, 'A compiled part of it crashed (SIGABRT).'],
  ['access-violation', 'killed-by-signal', 'hello_wave/main.py:5 null', 'exit code 0xc0000005'],
];

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

/** A robot, a sound card, a camera, a port or a disk that cannot be used. */
export const resources: readonly Recording[] = [
  [
    'no-daemon',
    'robot-lost',
    'hello_wave/main.py:3 Robot("http://127.0.0.1:9")',
    'Nothing answers at http://127.0.0.1:9.',
  ],
  ['daemon-lost', 'robot-lost', 'hello_wave/main.py:5 raise RobotConnectionError(', 'was lost: timed out'],
  [
    'robot-unplugged',
    'robot-lost',
    'hello_wave/main.py:5 raise error_for("robot-unavailable", "No robot on USB. Check the cable and the power.")',
    'No robot on USB.',
  ],
  [
    'slot-taken',
    'exception',
    'hello_wave/main.py:3 raise error_for("slot-taken", "dance has the robot.")',
    'dance has the robot.',
  ],
  ['no-sound-card', 'audio-busy', 'hello_wave/main.py:3 Media("lite").start_playing()', 'has no loudspeaker.'],
  [
    'audio-busy',
    'audio-busy',
    'hello_wave/main.py:5 with sd.InputStream(samplerate=16000, channels=1) as stream:',
    'sound card',
  ],
  [
    'audio-busy-sdk',
    'audio-busy',
    'hello_wave/main.py:4 robot.start_recording()',
    'The sound card cannot be used (failed',
  ],
  [
    'no-camera',
    'camera-busy',
    'hello_wave/main.py:5 grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)',
    'camera cannot be opened',
  ],
  [
    'no-camera-own-words',
    'camera-busy',
    'hello_wave/main.py:5 raise RuntimeError("Could not open camera 0")',
    'camera',
  ],
  ['camera-busy', 'camera-busy', 'hello_wave/main.py:8 height, width = frame.shape[:2]', 'another program uses it'],
  [
    'camera-busy-device',
    'camera-busy',
    'hello_wave/main.py:3 camera = open("/dev/video0", "rb", buffering=0)',
    'camera',
  ],
  [
    'port-in-use',
    'port-in-use',
    'hello_wave/main.py:5 listener.bind(("127.0.0.1", int(os.environ["PORT"])))',
    'in use',
  ],
  ['port-in-use-server', 'port-in-use', null, 'Port 8700 is in use'],
  ['port-in-use-windows', 'port-in-use', 'hello_wave/web/page.py:31 listener.bind(("127.0.0.1", 8042))', 'in use'],
  ['disk-full', 'disk-full', 'hello_wave/main.py:2 file.write("x" * 100_000)', 'The disk is full.'],
];

/** Services and endpoints that refuse, sleep or do not answer. */
export const services: readonly Recording[] = [
  [
    'unauthorized-requests',
    'unauthorized',
    'hello_wave/main.py:9 requests.get(f"{URL}/401/whoami").raise_for_status()',
    '127.0.0.1:8700 refused the request (401)',
  ],
  [
    'unauthorized-httpx',
    'unauthorized',
    'hello_wave/main.py:6 httpx.get(f"{URL}/401/v1").raise_for_status()',
    '127.0.0.1:8700 refused the request (401)',
  ],
  ['forbidden-urllib', 'unauthorized', 'hello_wave/main.py:6 urlopen(f"{URL}/403/voices")', 'refused the request'],
  [
    'unauthorized-model',
    'unauthorized',
    'hello_wave/main.py:8 client.chat.completions.create(model="small", messages=[])',
    'refused the request',
  ],
  [
    'unauthorized-hub',
    'unauthorized',
    'hello_wave/main.py:7 HfApi(endpoint=f"{URL}/401", token="…").whoami()',
    'refused the request',
  ],
  ['speech-unauthorized', 'unauthorized', 'hello_wave/main.py:7 asyncio.run(run())', 'refused the request'],
  [
    'endpoint-of-app',
    'endpoint-failed',
    'hello_wave/main.py:13 print(chat.chat("Hello", timeout=5))',
    'The endpoint lab/chat (need "chat")',
  ],
  [
    'endpoint-paused',
    'endpoint-asleep',
    'hello_wave/main.py:7 InferenceClient(f"{URL}/400", token="…").text_generation("hello")',
    'paused',
  ],
  [
    'endpoint-asleep',
    'endpoint-asleep',
    'hello_wave/main.py:8 client.chat.completions.create(model="small", messages=[])',
    '(503)',
  ],
  [
    'model-loading',
    'endpoint-asleep',
    'hello_wave/main.py:7 client.post(json={"inputs": "hello"})',
    'models.example.com is not ready (503)',
  ],
  [
    'bad-gateway',
    'endpoint-asleep',
    'hello_wave/main.py:6 requests.post(f"{URL}/502/generate").raise_for_status()',
    '(502)',
  ],
  [
    'no-such-host',
    'network',
    'hello_wave/main.py:3 requests.get("https://speech.invalid/v1", timeout=5)',
    'The name speech.invalid',
  ],
  [
    'connection-refused',
    'network',
    'hello_wave/main.py:3 requests.get("http://127.0.0.1:9/v1", timeout=5)',
    'Nothing answers at 127.0.0.1:9.',
  ],
  ['connection-refused-httpx', 'network', 'hello_wave/main.py:3 httpx.get("http://127.0.0.1:9/v1")', 'does not answer'],
  [
    'connection-refused-asyncio',
    'network',
    'hello_wave/main.py:5 await asyncio.open_connection("127.0.0.1", 9)',
    '127.0.0.1:9',
  ],
  [
    'service-timeout',
    'network',
    'hello_wave/main.py:6 requests.get("http://127.0.0.1:8711/v1", timeout=0.2)',
    'in time',
  ],
];
