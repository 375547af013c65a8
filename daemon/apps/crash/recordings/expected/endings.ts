import type { Recording } from './recording.ts';

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
