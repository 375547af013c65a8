import type { Recording } from './recording.ts';

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
