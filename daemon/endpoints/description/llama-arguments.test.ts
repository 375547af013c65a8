import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/seeded-random.ts';
import { readLlamaArguments } from './llama-arguments.ts';

const problemsOf = (...args: string[]) =>
  readLlamaArguments(args).problems.map(({ at, message }) => `${at}: ${message}`);

test.each([
  [['--seed', '1', '-fa', 'on', '--temp', '0.2']],
  [['--logit-bias', '15043-1', '--seed', '-1', '--no-kv-offload', '-cram', '-1']],
  [['--chat-template', '{% if a %}/{% endif %}', '--grammar', 'root ::= "/"']],
  [['-fa', '--jinja']],
  [[]],
])('%j passes as it is', (args) => {
  expect(readLlamaArguments(args)).toEqual({ words: args, problems: [] });
});

test('a value joined by = becomes a word of its own; the server knows no other form', () => {
  expect(readLlamaArguments(['--seed=-1', '--top_k=4'])).toEqual({
    words: ['--seed', '-1', '--top_k', '4'],
    problems: [],
  });
});

test.each([
  ['--host', '0.0.0.0'],
  ['--host=0.0.0.0'],
  ['--api_key', 'k'],
  ['--api-key=k'],
  ['-m', '/etc/passwd'],
  ['-hf', 'a/b'],
  ['--hf_repo=a/b'],
  ['-a', 'other'],
  ['--slot-save-path', 'x'],
  ['--log-file', 'x'],
  ['--lora=a.gguf'],
  ['--rpc', '10.0.0.1:1'],
  ['--media-path', '/'],
  ['--tools', 'all'],
  ['-ag'],
  ['-t', '64'],
  ['--no-slots'],
  ['--metrics'],
  ['--help'],
  ['--fim-qwen-7b-spec'],
])('%s %s is refused, once and with the reason', (...args) => {
  expect(problemsOf(...args)).toEqual([expect.stringMatching(/^0: An endpoint may not set --?[\w.-]+: .*\.$/)]);
});

test('the reason is a sentence', () => {
  expect(problemsOf('--host', 'x')).toEqual([
    '0: An endpoint may not set --host: the daemon decides where the model is reached.',
  ]);
});

test('an option of a later version is refused: nobody has looked at it', () => {
  expect(problemsOf('--run-program', 'sh', '--seed', '1')).toEqual([
    "0: --run-program is not among the options of llama.cpp's server that an endpoint may set.",
  ]);
});

test('an option cannot pass for the value of another', () => {
  expect(problemsOf('--seed', '--tools', 'all')).toEqual([
    '0: --seed takes a value.',
    expect.stringContaining('1: An endpoint may not set --tools'),
  ]);
  expect(problemsOf('--chat-template=--tools')).toEqual(['0: The value of --chat-template looks like an option.']);
  expect(problemsOf('-fa', '--agent')).toEqual([expect.stringContaining('1: An endpoint may not set --agent')]);
  expect(problemsOf('all')).toEqual(['0: "all" follows no option that takes a value.']);
  expect(problemsOf('--jinja=x')).toEqual(['0: --jinja takes no value.']);
});

test.each(['/etc/passwd', '~/x', '../x', './x', 'C:\\x', '\\\\host\\x', 'file:///x', 'https://x'])(
  'the path or address %s is refused as a value',
  (path) => {
    expect(problemsOf('--override-kv', path)).toEqual([
      '1: The value of --override-kv is a path or an address: an endpoint reads no other files than its model.',
    ]);
  },
);

test('numbers of requests and threads that no machine can serve are refused', () => {
  expect(problemsOf('-np', '256', '--threads-http=1024')).toEqual([]);
  expect(problemsOf('-np', '257', '--threads_http=1025')).toEqual([
    '1: -np is at most 256.',
    '2: --threads-http is at most 1024.',
  ]);
});

test.each(['-1', '0', 'auto', '2.5'])('%s is no number of slots, and is not passed on', (value) => {
  const message = 'is a whole number of 1 or more. Leave it out for as many as the memory has room for.';
  expect(readLlamaArguments(['--seed', '1', '-np', value, `--parallel=${value}`])).toEqual({
    words: ['--seed', '1'],
    problems: [
      { at: 3, message: `-np ${message}`, isLeftOut: true },
      { at: 4, message: `--parallel ${message}`, isLeftOut: true },
    ],
  });
});

test('of any words, those that pass hold no option that is refused', () => {
  const random = seededRandom(14);
  const words = [
    '--seed',
    '-fa',
    '--jinja',
    '--chat-template',
    '--host',
    '--tools',
    '-m',
    '--new',
    '-1',
    '.5',
    'on',
    'all',
  ];
  const parts = [...words, '--seed=', '--host=', '--chat-template=--tools', '--seed=--host', '/x', '', '-', '=', '--'];
  const allowed = new Set(['--seed', '-fa', '--jinja', '--chat-template']);
  let passed = 0;
  for (let round = 0; round < 20_000; round++) {
    const args = Array.from(
      { length: Math.floor(random() * 5) },
      () => parts[Math.floor(random() * parts.length)] ?? '',
    );
    const reading = readLlamaArguments(args);
    if (reading.problems.length > 0) continue;
    passed += 1;
    const options = reading.words.filter((word) => /^--?[a-z]/i.test(word));
    expect(
      options.every((word) => allowed.has(word)),
      JSON.stringify(args),
    ).toBe(true);
  }
  expect(passed).toBeGreaterThan(1_000);
});
