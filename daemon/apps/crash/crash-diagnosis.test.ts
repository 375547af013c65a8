import { expect, test } from 'vitest';
import { type CrashCause, CrashDiagnosis } from '../../contract/apps/diagnosis.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { type CrashFacts, diagnoseCrash } from './crash-diagnosis.ts';
import { crashRules } from './crash-rules.ts';
import { recorded, recordedNames, recordings } from './recordings/recordings.ts';

const writing = (...texts: string[]): CrashFacts => ({
  ...recorded('silent'),
  lines: texts.map((text) => ({ stream: 'stderr', text })),
});

test.each(recordings)('%s: %s', (name, cause, own, piece) => {
  const diagnosis = diagnoseCrash(recorded(name));
  const { ownLine } = diagnosis;
  expect({ ...diagnosis, own: ownLine && `${ownLine.file}:${ownLine.line} ${ownLine.code}` }).toMatchObject({
    cause,
    own,
  });
  expect(diagnosis.message).toContain(piece);
  expect(CrashDiagnosis.parse(diagnosis)).toEqual(diagnosis);
  expect(`${diagnosis.message}${diagnosis.action}`).not.toMatch(/[{}]|\.\.| {2}|undefined/);
});

test.each([
  [true, 'out-of-memory', 'likely because the memory ran out'],
  [false, 'killed-by-signal', 'The system or another program killed it (SIGKILL).'],
] as const)('a killed app, with the memory run out: %s', (isOutOfMemory, cause, piece) => {
  const { message, ...diagnosis } = diagnoseCrash({ ...recorded('killed'), isOutOfMemory });
  expect(diagnosis.cause).toBe(cause);
  expect(message).toContain(piece);
});

test('every recording is diagnosed above', () => {
  expect(recordings.map(([name]) => name).toSorted()).toEqual(recordedNames().toSorted());
});

/** Rules without a recording, each with an example line. */
const lines: [line: string, cause: CrashCause, message: string][] = [
  [
    'robot.errors.AudioUnavailable: Sound needs the library miniaudio, which is not installed. Depend on robot-sdk[audio].',
    'missing-module',
    'It needs the Python package miniaudio, which is not installed with it.',
  ],
  [
    'ImportError: This app has a settings page, which needs FastAPI. Depend on robot-sdk[baseline].',
    'missing-module',
    'It needs the Python package FastAPI, which is not installed with it.',
  ],
  ['robot.errors.RobotUnavailable: The robot is asleep.', 'robot-lost', 'The robot is asleep.'],
  [
    'robot.errors.Unreachable: The head cannot be so high.',
    'exception',
    'The robot could not do what it asked: The head cannot be so high.',
  ],
  [
    'robot.endpoints.EndpointMissing: This app has no endpoint for "EAR". Choose one.',
    'endpoint-missing',
    'It used a model for "EAR", a need that it does not declare.',
  ],
  [
    'robot.endpoints.EndpointError: The endpoint lab/chat (need "chat") is paused. Resume it.',
    'endpoint-failed',
    'The endpoint lab/chat (need "chat") is paused. Resume it.',
  ],
  [
    `openai.NotFoundError: Error code: 404 - {'error': {'message': 'There is no endpoint "lab/chat".'}}`,
    'endpoint-failed',
    'The endpoint lab/chat that it uses was deleted.',
  ],
  [
    "ModuleNotFoundError: No module named 'robot'",
    'missing-module',
    "The robot SDK is not in the app's own environment.",
  ],
  [
    "ModuleNotFoundError: No module named 'cv2'",
    'missing-module',
    'It needs the Python package opencv-python, which is not installed with it.',
  ],
  [
    "ModuleNotFoundError: No module named 'tomllib'",
    'python-version',
    'It uses tomllib, which only newer versions of Python have.',
  ],
  [
    "pkg_resources.VersionConflict: (robot-sdk 1.0.0 (/home/ada), Requirement.parse('robot-sdk>=1.6'))",
    'sdk-too-old',
    'It needs the robot SDK >=1.6; this is SDK 1.0.0.',
  ],
  [
    'RuntimeError: hello_wave requires Python >=3.12',
    'python-version',
    'It needs Python >=3.12; this is another version.',
  ],
  [
    'ImportError: attempted relative import with no known parent package',
    'import-error',
    'A part of it cannot be imported: attempted relative import with no known parent package.',
  ],
  [
    'RuntimeError: Failed to start the webcam',
    'camera-busy',
    'The camera cannot be opened. It is not connected, or another program uses it.',
  ],
  ['openai.APITimeoutError: Request timed out.', 'network', 'The connection to a service failed.'],
];

test.each(lines)('%s', (line, cause, message) => {
  expect(diagnoseCrash(writing('Traceback (most recent call last):', line))).toMatchObject({ cause, message });
});

test('a variable that was set is not reported as missing', () => {
  const line = 'ValueError: No API key provided. You can set your API key using GROQ_API_KEY=…';
  const facts = writing('Traceback (most recent call last):', line);
  expect(diagnoseCrash({ ...facts, variablesSet: ['PATH'] })).toMatchObject({
    message: 'No value is set for GROQ_API_KEY, which it reads from its environment.',
    missingVariables: ['GROQ_API_KEY'],
  });
  expect(diagnoseCrash({ ...facts, variablesSet: ['PATH', 'GROQ_API_KEY'] })).toMatchObject({
    cause: 'missing-variable',
    message: 'It asks for GROQ_API_KEY, although a value was set when it started.',
    action: 'Check the value of GROQ_API_KEY in the variables of the app, then start it again.',
    missingVariables: ['GROQ_API_KEY'],
  });
  const two = writing('Traceback (most recent call last):', 'RuntimeError: Set AZURE_KEY and AZURE_REGION in .env');
  expect(diagnoseCrash({ ...two, variablesSet: ['AZURE_KEY'] })).toMatchObject({ missingVariables: ['AZURE_REGION'] });
});

test('every rule has an example', () => {
  const examples = [
    ...recordings.flatMap(([name]) => recorded(name).lines.map(({ text }) => text)),
    ...lines.map(([line]) => line),
  ];
  const used = new Set(examples.map((line) => crashRules.find(({ sign }) => sign.test(line))));
  // A rule that requires more than its sign also matches the example of the rule after it.
  for (const [index, rule] of crashRules.entries()) {
    const before = crashRules[index - 1];
    if (before?.ownModule || before?.lacking) used.add(rule);
  }
  expect(crashRules.filter((rule) => !used.has(rule))).toEqual([]);
});

test('a lost robot is the cause where no rule names another', () => {
  const lost = (facts: CrashFacts) => diagnoseCrash({ ...facts, robotLost: true });
  expect(lost(recorded('exception'))).toMatchObject({
    cause: 'robot-lost',
    ownLine: { file: 'hello_wave/main.py', line: 3, code: 'return poses["bow"]' },
  });
  expect(lost(recorded('silent')).cause).toBe('robot-lost');
  expect(lost(recorded('own-words')).cause).toBe('robot-lost');
  expect(lost(recorded('missing-module')).cause).toBe('missing-module');
  expect(lost(recorded('segfault')).cause).toBe('killed-by-signal');
});

test('the standard output changes nothing where the error stream has a traceback', () => {
  for (const [name] of recordings) {
    const facts = recorded(name);
    const between = facts.lines.flatMap((line) => [
      line,
      { stream: 'stdout' as const, text: 'INFO: 401 Unauthorized' },
    ]);
    const { evidence: _, ...quiet } = diagnoseCrash(facts);
    const { evidence: __, ...loud } = diagnoseCrash({ ...facts, lines: between });
    if (facts.lines.length > 0) expect(loud, name).toEqual(quiet);
  }
});

test('an app may write its traceback on the standard output', () => {
  const facts = recorded('exception');
  const lines = facts.lines.map(({ text }) => ({ stream: 'stdout' as const, text }));
  expect(diagnoseCrash({ ...facts, lines })).toEqual(diagnoseCrash(facts));
});

test('the evidence shows the failing line and its cause', () => {
  expect(diagnoseCrash(recorded('camera-busy')).evidence).toEqual([
    "[ WARN:0@0.412] global cap_v4l.cpp:914 open VIDEOIO(V4L2:/dev/video0): can't open camera by index",
    '  File "/home/ada/apps/hello_wave/lib/python3.11/site-packages/hello_wave/main.py", line 8, in main',
    '    height, width = frame.shape[:2]',
    "AttributeError: 'NoneType' object has no attribute 'shape'",
  ]);
});

test('no diagnosis repeats a secret', () => {
  const all = JSON.stringify(recordings.map(([name]) => diagnoseCrash(recorded(name))));
  expect(all).not.toMatch(/abcdefghij|a1b2c3|swordfish/);
});

test('any text gives a diagnosis', () => {
  const random = seededRandom(20_261_120);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const known = recordings.flatMap(([name]) => recorded(name).lines.map(({ text }) => text));
  const noise = [
    '',
    ' ',
    '\t',
    '  + ',
    '  | ',
    '    +-+---------------- 1 ----------------',
    '\u0000',
    '\ud800',
    '💃'.repeat(40),
    '{detail}',
    '$1',
    '  File "',
    'a'.repeat(8192),
  ];
  const line = (): string => {
    const text = random() < 0.8 ? pick(known) : pick(noise);
    const cut = random() < 0.3 ? text.slice(Math.floor(random() * text.length)) : text;
    return random() < 0.2 ? `  | ${cut}` : random() < 0.1 ? cut + pick(noise) : cut;
  };
  for (let round = 0; round < 1500; round++) {
    const lines = Array.from({ length: Math.floor(random() * 60) }, () => ({
      stream: pick(['stdout', 'stderr'] as const),
      text: line(),
    }));
    const diagnosis = diagnoseCrash({
      exitCode: pick([null, 0, 1, 3, 137, 3_221_225_477]),
      signal: pick([null, 'SIGKILL', 'SIGSEGV', 'SIGUSR1']),
      lines,
      appPackage: pick(['hello_wave', 'requests', 'a', '', '$&', '(']),
      sdkVersion: '1.0.0',
      robotLost: random() < 0.2,
    });
    expect(CrashDiagnosis.parse(diagnosis), JSON.stringify(lines)).toEqual(diagnosis);
    expect(diagnosis.message, JSON.stringify(lines)).not.toBe('');
  }
});

test('long lines that nearly match are diagnosed, and their evidence is cut', () => {
  const near = [
    'a.',
    'keykey',
    '"',
    '(',
    'Bearer ',
    'x_KEY ',
    "host='a",
    'error: ',
    '  ',
    '+-',
    '://',
    'No API key ',
    'Error.',
  ];
  for (const text of near) {
    const facts = writing(...Array.from({ length: 200 }, () => text.repeat(8192 / text.length)));
    expect(diagnoseCrash(facts).evidence.every((line) => line.length <= 401)).toBe(true);
    const after = writing('Traceback (most recent call last):', `ValueError: ${text.repeat(8192 / text.length)}`);
    expect(diagnoseCrash(after).cause).toMatch(/exception|unknown/);
  }
});

test('the author of the app reads what to do, and not to ask the author', () => {
  const late = writing('  File "/home/ada/hello_wave/main.py", line 4', 'SyntaxError: invalid decimal literal');
  expect([diagnoseCrash(late).action, diagnoseCrash({ ...late, isOwn: true }).action]).toEqual([
    'Ask the author to fix that line.',
    'Fix that line.',
  ]);
});

test.each([
  [
    { name: 'sounds', version: '2.1' },
    'It needs the module sounds.live. sounds is installed, but its version 2.1 has no such module.',
    'Ask the author to list the versions of sounds that it works with in pyproject.toml.',
  ],
  [
    null,
    'It needs the Python package sounds-live, which is not installed with it.',
    'Ask the author to add sounds-live to the dependencies in pyproject.toml.',
  ],
])('a module that is missing below what is installed, of %j', (owner, message, action) => {
  const facts = writing("ModuleNotFoundError: No module named 'sounds.live'");
  const diagnosis = diagnoseCrash({ ...facts, missingPart: { module: 'sounds.live', owner } });
  expect(diagnosis).toMatchObject({ cause: 'missing-module', message, action });
});
