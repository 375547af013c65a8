import { expect, test } from 'vitest';
import { missingInFailure, missingInLine } from './missing-variables.ts';
import { variablesInWords } from './variables-in-words.ts';

const named = (line: string) => variablesInWords(line)?.names.join(' ') ?? null;

test.each([
  ['OPENAI_API_KEY is required', 'OPENAI_API_KEY'],
  ['RuntimeError: OPENAI_API_KEY is not set', 'OPENAI_API_KEY'],
  ['ValueError: `OPENAI_API_KEY` environment variable not set', 'OPENAI_API_KEY'],
  ['ValueError: Missing OPENAI_API_KEY', 'OPENAI_API_KEY'],
  ['ValueError: Missing required environment variable: WAVE_TO', 'WAVE_TO'],
  ['OSError: Missing environment variables: WAVE_TO, WAVE_ROOM and SPEECH_KEY.', 'WAVE_TO WAVE_ROOM SPEECH_KEY'],
  ['Error: OPENAI_API_KEY and ELEVENLABS_API_KEY must be set', 'OPENAI_API_KEY ELEVENLABS_API_KEY'],
  ['ValueError: Either OPENAI_API_KEY or GROQ_API_KEY must be set', 'OPENAI_API_KEY'],
  ['Please set the OPENAI_API_KEY environment variable.', 'OPENAI_API_KEY'],
  ['Please set OPENAI_API_KEY in your .env file', 'OPENAI_API_KEY'],
  ['❌ OPENAI_API_KEY not found in environment', 'OPENAI_API_KEY'],
  ['ERROR: No OPENAI_API_KEY found. Add it to .env', 'OPENAI_API_KEY'],
  ['EnvironmentError: You must set $HF_TOKEN', 'HF_TOKEN'],
  ['ValueError: The environment variable "room" is not set', 'room'],
  ['ValueError: The environment variable PORT is missing', 'PORT'],
  ['ValueError: the PORT environment variable is required', 'PORT'],
  ['RuntimeError: config.OPENAI_API_KEY is empty', 'OPENAI_API_KEY'],
  ["ValueError: OPENAI_API_KEY isn't set", 'OPENAI_API_KEY'],
  ['ValueError: OPENAI_API_KEY has not been configured', 'OPENAI_API_KEY'],
  ['ERROR - OPENAI_API_KEY is None', 'OPENAI_API_KEY'],
  ['RuntimeError: Missing env: WEATHER_CITY', 'WEATHER_CITY'],
  ['OSError: Environment variable not found: WEATHER_CITY', 'WEATHER_CITY'],
  ['OSError: OPENAI_API_KEY', 'OPENAI_API_KEY'],
  ['ValueError: Need OPENAI_API_KEY', 'OPENAI_API_KEY'],
  ['ValueError: OPENAI_API_KEY: not set', 'OPENAI_API_KEY'],
  ['ValueError: "OPENAI_API_KEY" is a required environment variable', 'OPENAI_API_KEY'],
  ['ValueError: You must provide an API key via OPENAI_API_KEY', 'OPENAI_API_KEY'],
  ['ValueError: Cannot start without OPENAI_API_KEY', 'OPENAI_API_KEY'],
  ['RuntimeError: MQTT_HOST and MQTT_PORT must be set in the environment', 'MQTT_HOST MQTT_PORT'],
  ['OPENAI_API_KEY (see README) is missing', 'OPENAI_API_KEY'],
  ['OPENAI_API_KEY is missing or invalid', 'OPENAI_API_KEY'],
  ['KeyError: "Environment variable \'WAVE_TO\' not found"', 'WAVE_TO'],
  ['export OPENAI_API_KEY=sk-... first', 'OPENAI_API_KEY'],
  [
    'Did not find openai_api_key, please add an environment variable `OPENAI_API_KEY` which contains it',
    'OPENAI_API_KEY',
  ],
  ["Missing required environment variables: ['OPENAI_API_KEY', 'HF_TOKEN']", 'OPENAI_API_KEY HF_TOKEN'],
  ['ValueError: OPENAI_API_KEY must not be empty', 'OPENAI_API_KEY'],
  ['ValueError: OPENAI_API_KEY cannot be empty', 'OPENAI_API_KEY'],
  ["ValueError: OPENAI_API_KEY can't be blank", 'OPENAI_API_KEY'],
  ['ValueError: OPENAI_API_KEY should not be None', 'OPENAI_API_KEY'],
  ['ValueError: OPENAI_API_KEY has no value', 'OPENAI_API_KEY'],
  ['django.core.exceptions.ImproperlyConfigured: Set the SECRET_KEY environment variable', 'SECRET_KEY'],
  ['spotipy: No client_id. Pass it or set a SPOTIPY_CLIENT_SECRET environment variable.', 'SPOTIPY_CLIENT_SECRET'],
])('%s', (line, names) => {
  expect(named(line)).toBe(names);
});

test('a name that is called neither a variable nor a key is only likely a variable', () => {
  expect(variablesInWords('ValueError: WAVE_TO is required')).toEqual({ names: ['WAVE_TO'], isLikely: true });
  expect(variablesInWords('ValueError: WAVE_TO is required in the environment')?.isLikely).toBe(false);
  expect(variablesInWords('ValueError: SPEECH_KEY is required')?.isLikely).toBe(false);
});

test.each([
  "KeyError: 'OPENAI_API_KEY'",
  "NameError: name 'API_KEY' is not defined",
  "AttributeError: module 'config' has no attribute 'API_KEY'",
  "ImportError: cannot import name 'API_KEY' from 'config'",
  "TypeError: speak() missing 1 required positional argument: 'API_KEY'",
  "FileNotFoundError: [Errno 2] No such file or directory: 'MODEL_CARD.md'",
  'ValueError: MODEL_CARD.md is missing',
  'ValueError: row 7: USER_ID is missing',
  'main.py: error: the following arguments are required: API_KEY',
  'RuntimeError: STEP_MOTOR is not set up',
  'ValueError: ACCESS_TOKEN missing from JSON response',
  'RuntimeError: the response has no ACCESS_TOKEN',
  "jsonschema.exceptions.ValidationError: 'API_KEY' is a required property",
  'ValueError: missing required field: USER_KEY',
  'ValueError: LOG_LEVEL must be one of DEBUG, INFO',
  'ValueError: MAX_SPEED must be set to a number below 3',
  'ValueError: OPENAI_API_KEY is invalid',
  'openai.AuthenticationError: OPENAI_API_KEY has expired',
  'OPENAI_API_KEY not set, falling back to the local voice',
  'OPENAI_API_KEY is not set (optional)',
  'GROQ_API_KEY not set, skipped',
  'To disable this warning, set the environment variable TOKENIZERS_PARALLELISM=(true | false)',
  'Offline mode is enabled. To disable it, please unset the `HF_HUB_OFFLINE` environment variable.',
  'CUDA out of memory. If reserved memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
  'OMP: Hint: you can set the environment variable KMP_DUPLICATE_LIB_OK=TRUE to allow the program to continue',
  'The environment variable is not set',
  'robot.errors.RobotUnavailable: HEAD_POSE is not set.',
  'AssertionError: HEAD_POSE is wrong',
  'ValueError: HEAD_POSE must be set to a 4x4 matrix',
  'RuntimeError: motor LEFT_ANTENNA not found',
  'RuntimeError: joint HEAD_ROLL is missing',
  'RuntimeError: could not find STATE_IDLE in states',
  'ValueError: PAD_TOKEN is not set for the tokenizer',
  'ValueError: missing SEP_TOKEN in the input',
  'RuntimeError: The API refused the OPENAI_API_KEY',
  'UserWarning: HF_TOKEN is not set',
  'sqlite3.OperationalError: no such column: API_KEY',
])('names no missing variable: %s', (line) => {
  expect(named(line)).toBeNull();
});

test('variables of the session and those that cannot be set for an app are not named', () => {
  const inLine = (line: string) => missingInLine(line, []);
  expect(inLine('_tkinter.TclError: no display name and no $DISPLAY environment variable')).toBeNull();
  expect(inLine('error: XDG_RUNTIME_DIR not set in the environment.')).toBeNull();
  expect(inLine('ValueError: the environment variable ROBOT_NAME is not set')).toBeNull();
  expect(inLine('WARNING: SPEECH_KEY is not set')).toBeNull();
});

test("a dictionary's missing entry is no variable, whatever its name is", () => {
  const frame = {
    file: 'main.py',
    line: 3,
    code: 'key = settings["OPENAI_API_KEY"]',
    shown: ['  File "main.py", line 3, in run'],
  };
  expect(missingInFailure({ message: ["KeyError: 'OPENAI_API_KEY'"], frames: [frame] })).toBeNull();
  const own = { ...frame, shown: ['  File "/home/ada/hello_wave/oso.py", line 3, in __getitem__'] };
  expect(missingInFailure({ message: ["KeyError: 'OPENAI_API_KEY'"], frames: [own] })).toBeNull();
});
