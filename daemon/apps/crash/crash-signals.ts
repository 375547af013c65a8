import type { CrashCause } from '../../contract/apps/diagnosis.ts';

/** How an end from outside the program's own code is known, and what is said of it; `{end}` is its name. */
export interface SignalRule {
  readonly signals: readonly string[];
  /** What a shell says of the signal (128 and its number), and Windows of what goes with it. */
  readonly exitCodes: readonly number[];
  /** One of the last lines must say this too. */
  readonly sign?: RegExp;
  /** Python may end so while it tears down after an exception, which is then what counts. */
  readonly afterException: boolean;
  readonly cause: CrashCause;
  readonly message: string;
  readonly action: string;
}

const askForBuild = 'Ask the author to update the libraries that it uses.';

/** The first one that fits counts. */
export const signalRules: readonly SignalRule[] = [
  {
    signals: ['SIGKILL'],
    exitCodes: [137],
    afterException: false,
    cause: 'out-of-memory',
    message: 'The system ended it at once ({end}), likely because the memory ran out.',
    action: 'Close other programs, then start it again.',
  },
  {
    signals: ['SIGABRT'],
    exitCodes: [134, 0xc0000409],
    sign: /std::bad_alloc|Cannot allocate memory/,
    afterException: true,
    cause: 'out-of-memory',
    message: 'The memory ran out, and a compiled part of it gave up ({end}).',
    action: 'Close other programs, then start it again.',
  },
  {
    signals: ['SIGILL'],
    exitCodes: [132, 0xc000001d],
    afterException: true,
    cause: 'killed-by-signal',
    message: 'A compiled part of it crashed ({end}). It was likely built for another processor.',
    action: askForBuild,
  },
  {
    signals: ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGTRAP', 'SIGSYS'],
    exitCodes: [139, 134, 135, 136, 133, 159, 0xc0000005, 0xc0000409, 0xc00000fd],
    afterException: true,
    cause: 'killed-by-signal',
    message: 'A compiled part of it crashed ({end}).',
    action: askForBuild,
  },
  {
    signals: ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'],
    exitCodes: [143, 130, 129, 131, 0xc000013a],
    afterException: false,
    cause: 'killed-by-signal',
    message: 'It was ended from outside, likely by another program ({end}).',
    action: 'Start it again.',
  },
];
