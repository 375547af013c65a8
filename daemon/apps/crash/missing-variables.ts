import { VariableName } from '../../contract/apps/apps.ts';
import { type Failure, type Frame, tracebacksIn } from './crash-traceback.ts';
import { type VariableRule, variableRules } from './rules/variable-rules.ts';
import { type MissingVariables, variablesInWords } from './variables-in-words.ts';

const MAX_NAMES = 4;
/** Number of last lines in which a program that shows no exception may name the variable that it lacks. */
export const ENDING_LINES = 4;
/** The desktop's own variables: a program that lacks them lacks a screen, which no value replaces. */
const OF_THE_SESSION = /^(?:DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|HOME|CUDA_HOME)$/;
const SETTINGS_CLASS = /[\\/]pydantic_settings[\\/]|[\\/]pydantic[\\/](?:v1[\\/])?env_settings\.py/;

/** The variables whose absence caused an exception, or null. */
export function missingInFailure(failure: Pick<Failure, 'message' | 'frames'>): MissingVariables | null {
  for (const line of failure.message) {
    const found = byRule(line, failure.frames, []) ?? variablesInWords(line);
    const checked = found && settable(found);
    if (checked) return checked;
  }
  return settable(missingSettings(failure));
}

/**
 * The variables that a program names in one of its last lines when it ends, or null.
 * @param before the lines before it
 */
export function missingInLine(line: string, before: readonly string[]): MissingVariables | null {
  if (/\bwarn/i.test(line)) return null;
  const found = byRule(line, [], before) ?? variablesInWords(line);
  return found && settable(found);
}

/** The variables whose absence ended a program, from all that it wrote, or null. */
export function missingInOutput(lines: readonly string[]): MissingVariables | null {
  const failures = tracebacksIn(lines).at(-1)?.failures ?? [];
  const found = failures.map(missingInFailure).findLast((missing) => missing !== null);
  if (found || failures.length > 0) return found ?? null;
  const ending = lines.filter((line) => line.trim() !== '');
  const first = Math.max(0, ending.length - ENDING_LINES);
  return (
    ending
      .slice(first)
      .map((line, index) => missingInLine(line, ending.slice(0, first + index)))
      .findLast((missing) => missing !== null) ?? null
  );
}

function byRule(line: string, frames: readonly Frame[], before: readonly string[]): MissingVariables | null {
  for (const rule of variableRules) {
    const names = namesBy(rule, line, frames, before);
    if (names) return { names, isLikely: false };
  }
  return null;
}

function namesBy(
  rule: VariableRule,
  line: string,
  frames: readonly Frame[],
  before: readonly string[],
): readonly string[] | null {
  const inner = frames.at(-1);
  const groups: Record<string, string | undefined> = {};
  const matches = (pattern: RegExp | undefined, texts: readonly string[]): boolean => {
    if (!pattern) return true;
    const match = texts.map((text) => pattern.exec(text)).find((each) => each !== null);
    Object.assign(groups, match?.groups);
    return match !== undefined;
  };
  const shown = (frame: Frame | undefined) => frame?.shown.slice(0, 1) ?? [];
  if (
    !matches(rule.sign, [line]) ||
    !matches(rule.innermost, shown(inner)) ||
    !matches(rule.code, inner?.code ? [inner.code] : []) ||
    !matches(rule.before, before.toReversed()) ||
    !matches(rule.frame, frames.flatMap(shown))
  )
    return null;
  const { names, key } = groups;
  if (key !== undefined && key !== names) return null;
  return rule.variables ?? (names === undefined ? null : [names]);
}

/** The fields without a value of a settings class, whose variables have their names in capitals. */
function missingSettings({ message, frames }: Pick<Failure, 'message' | 'frames'>): MissingVariables | null {
  if (!/ValidationError: \d+ validation errors? for /.test(message[0] ?? '')) return null;
  if (!frames.some(({ shown }) => SETTINGS_CLASS.test(shown[0] ?? ''))) return null;
  const fields = message.filter(
    (line, index) => /^\w+$/.test(line) && /^\s+field required/i.test(message[index + 1] ?? ''),
  );
  return { names: fields.map((field) => field.toUpperCase()), isLikely: true };
}

/** Only what the user can set for an app. */
function settable(found: MissingVariables | null): MissingVariables | null {
  const names = [...new Set(found?.names)]
    .filter((name) => VariableName.safeParse(name).success && !OF_THE_SESSION.test(name))
    .slice(0, MAX_NAMES);
  return found && names.length > 0 ? { ...found, names } : null;
}
