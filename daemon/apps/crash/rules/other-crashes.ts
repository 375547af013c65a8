import type { CrashDiagnosis } from '../../../contract/apps/diagnosis.ts';

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
