import type { CrashCause, CrashDiagnosis } from '../../contract/apps/diagnosis.ts';

/** A diagnosis with placeholders in its texts. */
export type CrashTexts = Pick<CrashDiagnosis, 'cause' | 'message' | 'action'>;

export const unhandled: CrashTexts = {
  cause: 'exception',
  message: 'It crashed: unhandled {error}.',
  action: 'Ask the author to fix {own}.',
};

/** `{names}`: the variables. */
export const variablesNotSet: CrashTexts = {
  cause: 'missing-variable',
  message: 'No value is set for {names}, which it reads from its environment.',
  action: 'Set {names} in the variables of the app, then start it again.',
};

/** The same for names that may also be those of other settings. */
export const likelyVariables: CrashTexts = {
  ...variablesNotSet,
  message: 'No value is set for {names}, which it likely reads from its environment.',
};

/** A client names the variable also when it does not accept the value. */
export const variablesRefused: CrashTexts = {
  cause: 'missing-variable',
  message: 'It asks for {names}, although a value was set when it started.',
  action: 'Check the value of {names} in the variables of the app, then start it again.',
};

export const robotLost: CrashTexts = {
  cause: 'robot-lost',
  message: 'The connection to the robot was lost while it ran.',
  action: "Check the robot's cable and power, then start it again.",
};

export const endWithMessage: CrashTexts = {
  cause: 'unknown',
  message: 'It ended with {end}. Its last output: {detail}',
  action: 'Check the end of its output, or ask the author.',
};

export const endWithoutMessage: CrashTexts = {
  cause: 'unknown',
  message: 'It ended with {end} and without an error message.',
  action: 'Start it again; if it happens again, ask the author.',
};

/** Recognizes an end by a signal, and describes it. `{end}` in a text is the signal or exit code. */
export interface SignalRule {
  readonly signals: readonly string[];
  /** The exit codes of a shell for the signal (128 plus its number), and those of Windows for the same fault. */
  readonly exitCodes: readonly number[];
  /** true: the kernel killed a program for want of memory shortly before its end. Absent: no matter, since others do so too. */
  readonly isOutOfMemory?: true;
  /** One of the last lines must match this too. */
  readonly sign?: RegExp;
  /** Python may end this way while it shuts down after an exception; the exception is then the cause. */
  readonly afterException: boolean;
  readonly cause: CrashCause;
  readonly message: string;
  readonly action: string;
}

const askForBuild = 'Ask the author to update the libraries that it uses.';

/** The first match wins. */
export const signalRules: readonly SignalRule[] = [
  {
    signals: ['SIGKILL'],
    exitCodes: [137],
    isOutOfMemory: true,
    afterException: false,
    cause: 'out-of-memory',
    message: 'The system killed it ({end}), likely because the memory ran out.',
    action: 'Close other programs, then start it again.',
  },
  {
    signals: ['SIGKILL'],
    exitCodes: [137],
    afterException: false,
    cause: 'killed-by-signal',
    message: 'The system or another program killed it ({end}).',
    action: 'Start it again. If it happens again, close other programs first, so that more memory is free.',
  },
  {
    signals: ['SIGABRT'],
    exitCodes: [134, 0xc0000409],
    sign: /std::bad_alloc|Cannot allocate memory/,
    afterException: true,
    cause: 'out-of-memory',
    message: 'The memory ran out, and a compiled part of it aborted ({end}).',
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
    message: 'Another program likely ended it ({end}).',
    action: 'Start it again.',
  },
];
