import { VariableName } from '../../contract/apps/apps.ts';
import { type Failure, type Frame, tracebacksIn } from './crash-traceback.ts';
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

/**
 * Recognizes that a program lacks an environment variable. All the given patterns must match; the group `names` of one
 * of them holds the variable's name, unless `variables` does.
 */
interface VariableRule {
  /** Matches a line of the exception's message; without an exception, one of the last lines. */
  readonly sign: RegExp;
  /** Matches the traceback's line of the innermost frame. */
  readonly innermost?: RegExp;
  /** Matches the source line of the innermost frame. */
  readonly code?: RegExp;
  /** Matches one of the lines before, where the output has no traceback of Python. */
  readonly before?: RegExp;
  /** Matches the traceback's line of any frame. */
  readonly frame?: RegExp;
  /** The variables, where the message does not name them. */
  readonly variables?: readonly string[];
}

/** `os.getenv("SPEECH_KEY")` or `os.environ.get("SPEECH_KEY")`, without a default. */
const unsetRead = String.raw`(?:\w+\.)?(?:getenv|environ\.get)\(\s*["'](?<names>\w+)["']\s*\)`;
const inEnvironment = /File "(?:<frozen os>|[^"]*[\\/]os\.py)", line \d+, in __(?:get|del)item__/;

/** Forms of access to the environment, and the texts of libraries that read it. The first match wins. */
const variableRules: readonly VariableRule[] = [
  // The same exception of a program's own dictionary is a fault in its code, so the place matters.
  { sign: /^KeyError: b?'(?<names>\w+)'$/, innermost: inEnvironment },
  {
    sign: /^KeyError: '(?<key>\w+)'$/,
    code: /\bos\.environ(?:\.copy\(\))?\s*[)}]?\s*\[\s*["'](?<names>\w+)["']\s*\]/,
  },
  { sign: /^KeyError: '(?<key>\w+)'$/, before: /❱ .*\bos\.environ\[["'](?<names>\w+)["']\]/ },
  // An absent variable is None where its text is used.
  { sign: /^TypeError: can only concatenate str \(not "NoneType"\)/, code: new RegExp(String.raw`\+\s*${unsetRead}`) },
  {
    sign: /^TypeError: (?:int|float)\(\) argument must be .*not 'NoneType'/,
    code: new RegExp(String.raw`\b(?:int|float)\(\s*${unsetRead}\s*\)`),
  },
  {
    sign: /^AttributeError: 'NoneType' object has no attribute '\w+'/,
    code: new RegExp(String.raw`${unsetRead}\.\w`),
  },
  { sign: /^AssertionError\b/, code: new RegExp(String.raw`^assert \(?${unsetRead}`) },
  { sign: /^AssertionError\b/, code: /^assert \(?["'](?<names>\w+)["'] in os\.environ\b/ },
  // Libraries that read settings.
  { sign: /^KeyError: "Config '(?<names>\w+)' is missing, and has no default/ },
  { sign: /\bUndefinedValueError: (?<names>\w+) not found\. Declare it as envvar/ },
  { sign: /Missing (?:option|argument) .*\(env var: '(?<names>\w+)'/ },
  { sign: /[│|]\s*Missing (?:option|argument) .*\[env var: (?<names>\w+)/ },
  // Clients of services, most of which do not name the variable.
  { sign: /Missing credentials\. Please pass .*?`(?<names>[A-Z]\w+)`/ },
  { sign: /No API_KEY or ADC found/, variables: ['GOOGLE_API_KEY'] },
  {
    sign: /Could not resolve authentication method/,
    frame: /[\\/]anthropic[\\/]/,
    variables: ['ANTHROPIC_API_KEY'],
  },
  {
    sign: /No API key was provided|Missing key inputs argument/,
    frame: /[\\/]google[\\/]genai[\\/]/,
    variables: ['GEMINI_API_KEY'],
  },
  {
    sign: /LocalTokenNotFoundError: .*no token found|You must provide an api_key .*hf auth login/,
    variables: ['HF_TOKEN'],
  },
  {
    sign: /credentials were not found\. To set up Application Default Credentials/,
    variables: ['GOOGLE_APPLICATION_CREDENTIALS'],
  },
  {
    sign: /NoCredentialsError: Unable to locate credentials/,
    variables: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  },
  { sign: /NoRegionError: You must specify a region/, variables: ['AWS_DEFAULT_REGION'] },
  { sign: /Neither authorization header nor xi-api-key received/, variables: ['ELEVENLABS_API_KEY'] },
  {
    sign: /You didn't provide an API key\. You need to provide your API key/,
    frame: /[\\/]openai[\\/]/,
    variables: ['OPENAI_API_KEY'],
  },
];
