import type { CrashDiagnosis } from '../../contract/apps/diagnosis.ts';
import { listText } from '../../shared/list-text.ts';
import type { NeedAfterRun } from '../needs/run-needs.ts';
import { crashRules, handlerErrors, packageOf } from './crash-rules.ts';
import { withoutSecrets } from './crash-secrets.ts';
import {
  codeLocation,
  type Failure,
  type Frame,
  faultFrames,
  isNonErrorRecord,
  ownFile,
  ownFrame,
  type Traceback,
  tracebacksIn,
} from './crash-traceback.ts';
import { withEndpoint, withMissingNeed } from './endpoint-of-crash.ts';
import type { MissingPart } from './missing-part.ts';
import { ENDING_LINES, missingInFailure, missingInLine } from './missing-variables.ts';
import {
  type CrashTexts,
  endWithMessage,
  endWithoutMessage,
  likelyVariables,
  robotLost,
  type SignalRule,
  signalRules,
  unhandled,
  variablesNotSet,
  variablesRefused,
} from './other-crashes.ts';
import type { MissingVariables } from './variables-in-words.ts';

/** A run that ended with an error without a request to stop. */
export interface CrashFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Whether the kernel killed a program for want of memory shortly before the end. Default: false. */
  readonly isOutOfMemory?: boolean;
  /** The last lines of its output, oldest first. Only the last 200 are read. */
  readonly lines: readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[];
  /** The app's top-level package, `hello_wave`. */
  readonly appPackage: string;
  readonly sdkVersion: string;
  /** Whether the user has its sources, and so can do what else its author is asked for. Default: no. */
  readonly isOwn?: boolean;
  /** Whether the robot was lost while it ran. */
  readonly robotLost: boolean;
  /** The module that is missing in something that is installed. Default: none. */
  readonly missingPart?: MissingPart | null;
  /** The environment variables that it got with a value. Default: none is known. */
  readonly variablesSet?: readonly string[];
  /** The models that it declares to use, with the endpoints that it had for them. Default: none. */
  readonly needs?: readonly NeedAfterRun[];
}

type Values = Readonly<Record<string, string | undefined>>;

/** A diagnosis before its texts are filled in. */
interface Conclusion {
  readonly texts: CrashTexts;
  /** Values of the placeholders in `texts`. */
  readonly values: Values;
  /** The call stack of the failure. */
  readonly frames: readonly Frame[];
  readonly evidence: readonly string[];
  readonly missingVariables?: readonly string[];
}

const MAX_LINES = 200;
/** Signs are searched only this far into a line. */
const MAX_LINE_CHARACTERS = 2_000;
const MAX_VALUE_CHARACTERS = 240;
const MAX_EVIDENCE = 12;
const MAX_EVIDENCE_CHARACTERS = 400;
/** Number of last lines in which a program that shows no exception may say why it ends. */
const LAST_LINES = 10;
/** Number of lines before an exception that may name its cause. */
const LINES_BEFORE = 30;

/** Diagnoses a crash from the app's output. Errors that the app survived are ignored. Never throws. */
export function diagnoseCrash(facts: CrashFacts): CrashDiagnosis {
  const lines = facts.lines.slice(-MAX_LINES).map(({ stream, text }) => ({
    stream,
    text: text.slice(0, MAX_LINE_CHARACTERS),
  }));
  const of = (wanted: string): string[] => lines.filter(({ stream }) => stream === wanted).map(({ text }) => text);
  const streams = [of('stderr'), of('stdout')];
  const all = lines.map(({ text }) => text);

  const signal = signalRule(facts, all);
  const diagnosis = toDiagnosis(
    facts,
    (signal && !signal.afterException ? fromSignal(signal, streams) : undefined) ??
      first(streams, (stream) => fromException(facts, stream)) ??
      (signal ? fromSignal(signal, streams) : undefined) ??
      first(streams, (stream) => fromLastLines(facts, stream)) ??
      withoutClue(facts, all),
  );
  return withMissingNeed(withEndpoint(diagnosis, facts.needs ?? []), facts.needs ?? []);
}

function signalRule(
  { signal, exitCode, isOutOfMemory = false }: CrashFacts,
  lines: readonly string[],
): SignalRule | undefined {
  const rule = signalRules.find(
    ({ signals, exitCodes, sign, ...rule }) =>
      (signal === null ? exitCode !== null && exitCodes.includes(exitCode) : signals.includes(signal)) &&
      (rule.isOutOfMemory === undefined || rule.isOutOfMemory === isOutOfMemory) &&
      (!sign || lines.some((line) => sign.test(line))),
  );
  return rule ?? (signal === null ? undefined : signalRules.at(-1));
}

function fromSignal(rule: SignalRule, [errors = [], output = []]: readonly string[][]): Conclusion {
  const frames = faultFrames(errors);
  const shown = frames.toReversed().flatMap((frame) => frame.shown);
  return { texts: rule, values: {}, frames, evidence: shown.length > 0 ? shown : lastLines([...output, ...errors]) };
}

function fromException(facts: CrashFacts, lines: readonly string[]): Conclusion | undefined {
  const traceback = fatalTraceback(facts, tracebacksIn(lines), lines);
  if (!traceback) return undefined;
  const failures = mostSpecificFirst(traceback.failures);
  const before = lines.slice(Math.max(0, traceback.start - LINES_BEFORE), traceback.start);
  const known = first(failures, (failure) => {
    const missing = knownVariables(facts, missingInFailure(failure));
    const known =
      missing ?? first(failure.message, (line) => fromRules(facts, line, [...before, ...linesOf(failure.frames)]));
    return known && { ...known, failure };
  });
  const failure = known?.failure ?? failures[0];
  if (!failure) return undefined;
  const frames = [failure, ...failures].find((one) => ownFrame(one.frames, facts.appPackage))?.frames ?? [];
  const innermost = failure.frames.at(-1);
  const places = [ownFrame(frames, facts.appPackage), innermost].filter((frame) => frame !== undefined);
  return {
    texts: known?.texts ?? (facts.robotLost ? robotLost : unhandled),
    values: { error: failure.message[0], ...known?.values, at: innermost && codeLocation(innermost, facts.appPackage) },
    frames,
    evidence: [...(known?.nearby ?? []), ...linesOf(new Set(places)), ...failure.message],
    ...(known?.missingVariables && { missingVariables: known.missingVariables }),
  };
}

/** A program that catches its own failure says so in its last lines. */
function fromLastLines(facts: CrashFacts, lines: readonly string[]): Conclusion | undefined {
  const end = lines.findLastIndex((line) => line.trim() !== '' && !isNonErrorRecord(line)) + 1;
  const begin = Math.max(lines.slice(0, end).findLastIndex(isNonErrorRecord) + 1, end - LAST_LINES);
  const ending = lines.slice(begin, end).filter((line) => line.trim() !== '');
  const before = lines.slice(Math.max(0, begin - LINES_BEFORE), begin);
  const known = first(ending.toReversed(), (line): Conclusion | undefined => {
    const isLate = ending.indexOf(line) >= ending.length - ENDING_LINES;
    const rule =
      (isLate
        ? knownVariables(facts, missingInLine(line, [...before, ...ending.slice(0, ending.indexOf(line))]))
        : undefined) ?? fromRules(facts, line, before);
    return rule && { ...rule, frames: [], evidence: [...rule.nearby, line] };
  });
  const last = ending.at(-1);
  if (known || last === undefined) return known;
  if (facts.robotLost) return { texts: robotLost, values: {}, frames: [], evidence: ending };
  const texts = /^(?:\w+\.)*[A-Z]\w*(?:Error|Exception): /.test(last) ? unhandled : endWithMessage;
  return { texts, values: { error: last, detail: last }, frames: [], evidence: ending };
}

function withoutClue(facts: CrashFacts, lines: readonly string[]): Conclusion {
  return { texts: facts.robotLost ? robotLost : endWithoutMessage, values: {}, frames: [], evidence: lastLines(lines) };
}

/** The traceback that ended the program: rather one of the program or a logger than one of a thread. */
function fatalTraceback(
  { exitCode }: CrashFacts,
  tracebacks: readonly Traceback[],
  lines: readonly string[],
): Traceback | undefined {
  // Python exits with 1 after an exception, and other threads may still write after it.
  const fatal = tracebacks.filter(
    ({ by, end }) => (by === 'program' && exitCode === 1) || !continuedAfter(lines.slice(end)),
  );
  return fatal.findLast(({ by }) => by !== 'thread') ?? fatal.at(-1);
}

/** Whether a program continued after a traceback and then wrote something other than plain log records. */
function continuedAfter(lines: readonly string[]): boolean {
  const calm = lines.findIndex(isNonErrorRecord);
  return calm >= 0 && lines.slice(calm).some((line) => line.trim() !== '' && !isNonErrorRecord(line));
}

/** The exceptions of a traceback, most specific first: members before their group, effects before causes. */
function mostSpecificFirst(failures: readonly Failure[]): Failure[] {
  const raised = failures.findLastIndex(({ link }) => link !== 'member');
  const ordered = failures.slice(raised + 1);
  for (const failure of failures.slice(0, raised + 1).reverse()) {
    ordered.push(failure);
    if (failure.link === 'context' && handlerErrors.test(failure.message[0] ?? '')) break;
  }
  return ordered.filter(({ message }) => message.length > 0);
}

interface KnownCrash extends Pick<Conclusion, 'missingVariables'> {
  readonly texts: CrashTexts;
  readonly values: Values;
  /** The other line that the rule requires, if it requires one. */
  readonly nearby: readonly string[];
}

function knownVariables({ variablesSet = [] }: CrashFacts, missing: MissingVariables | null): KnownCrash | undefined {
  if (!missing) return undefined;
  const unset = missing.names.filter((name) => !variablesSet.includes(name));
  const names = unset.length > 0 ? unset : missing.names;
  const texts = unset.length === 0 ? variablesRefused : missing.isLikely ? likelyVariables : variablesNotSet;
  return { texts, values: { names: listText(names) }, nearby: [], missingVariables: names };
}

function fromRules(facts: CrashFacts, line: string, others: readonly string[]): KnownCrash | undefined {
  return first(crashRules, (rule) => {
    const values: Values | undefined = rule.sign.exec(line)?.groups ?? (rule.sign.test(line) ? {} : undefined);
    if (!values) return undefined;
    const module = values['module'] ?? '';
    if (rule.ownModule && !`${module}.`.startsWith(`${facts.appPackage}.`)) return undefined;
    const part = facts.missingPart?.module === module ? facts.missingPart : null;
    if (rule.lacking && !part?.owner) return undefined;
    const nearby = others.findLast((other) => rule.nearby?.test(other));
    if (rule.nearby && nearby === undefined) return undefined;
    const top = module.split('.')[0] ?? '';
    return {
      texts: rule,
      values: {
        ...values,
        // By custom, a part of a name that several packages share has a package of the same name.
        package: part ? module.replaceAll('.', '-') : (packageOf.get(top) ?? top),
        owner: part?.owner?.name,
        version: part?.owner?.version,
      },
      nearby: nearby === undefined ? [] : [nearby],
    };
  });
}

function toDiagnosis(
  facts: CrashFacts,
  { texts, values, frames, evidence, missingVariables }: Conclusion,
): CrashDiagnosis {
  const own = ownFrame(frames, facts.appPackage);
  const all: Values = {
    ...values,
    sdk: facts.sdkVersion,
    end: facts.signal ?? `exit code ${codeOf(facts.exitCode ?? 0)}`,
    own: own ? codeLocation(own, facts.appPackage) : 'it; the output shows where it fails',
  };
  const fill = (text: string): string =>
    withoutSecrets(text.replaceAll(/\{(\w+)\}/g, (_, name: string) => clipped(all[name] ?? '', MAX_VALUE_CHARACTERS)))
      .replace(/[.:]\.$/, '.')
      .trim();
  return {
    cause: texts.cause,
    message: fill(texts.message),
    action: facts.isOwn ? forOwner(fill(texts.action)) : fill(texts.action),
    ...(missingVariables && { missingVariables: [...missingVariables] }),
    ownLine: own
      ? {
          file: ownFile(own.file, facts.appPackage) ?? own.file,
          line: own.line,
          code: own.code === null ? null : shortened(own.code),
        }
      : null,
    evidence: [...new Set(evidence.map(shortened))].slice(0, MAX_EVIDENCE),
  };
}

/** Turns the advice to ask the author into advice for the author. */
const forOwner = (action: string): string =>
  action.replace(/^Ask the author to (\w)/, (_, letter: string) => letter.toUpperCase());

const shortened = (line: string): string => clipped(withoutSecrets(line), MAX_EVIDENCE_CHARACTERS);

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Crash codes of Windows are documented in hexadecimal. */
const codeOf = (code: number): string => (code > 0xffff ? `0x${code.toString(16)}` : String(code));

const linesOf = (frames: Iterable<Frame>): string[] => [...frames].flatMap(({ shown }) => shown);

const lastLines = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.trim() !== '').slice(-MAX_EVIDENCE);

/** The first result of `find` that is not undefined. */
function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
