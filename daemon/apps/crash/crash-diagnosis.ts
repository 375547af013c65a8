import type { CrashDiagnosis } from '../../contract/apps/diagnosis.ts';
import { codeLocation, ownFile, ownFrame } from './crash-own-code.ts';
import type { CrashRule } from './crash-rule.ts';
import { crashRules, packageOf, slips } from './crash-rules.ts';
import { withoutSecrets } from './crash-secrets.ts';
import { type SignalRule, signalRules } from './crash-signals.ts';
import {
  type Failure,
  type Frame,
  faultFrames,
  isCalmRecord,
  type Traceback,
  tracebacksIn,
} from './crash-traceback.ts';

/** What is known of a run that crashed: that ended badly, and nobody had asked it to end. */
export interface CrashFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last lines of its output, oldest first; of more than 200 the last 200 count. */
  readonly lines: readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[];
  /** The app's top-level package, `hello_wave`. */
  readonly appPackage: string;
  readonly sdkVersion: string;
  /** Whether the robot was lost while it ran. */
  readonly robotLost: boolean;
}

type Words = Readonly<Record<string, string | undefined>>;

/** What was found out: the texts, the words that go into them, the way to the failure, and the lines that show it. */
interface Conclusion {
  readonly texts: Pick<CrashDiagnosis, 'cause' | 'message' | 'action'>;
  readonly words: Words;
  readonly frames: readonly Frame[];
  readonly evidence: readonly string[];
}

const MAX_LINES = 200;
/** No sign is further into a line than this. */
const MAX_LINE_CHARACTERS = 2_000;
const MAX_WORD_CHARACTERS = 240;
const MAX_EVIDENCE = 12;
const MAX_EVIDENCE_CHARACTERS = 400;
/** The last lines in which a program without an exception may say why it ends. */
const LAST_WORDS = 10;
/** How many lines before an exception may say what it comes from. */
const LINES_BEFORE = 30;

const unhandled = {
  cause: 'exception',
  message: 'It stopped at an error that it does not handle: {error}.',
  action: 'Ask the author to mend {own}.',
} as const;
const robotGone = {
  cause: 'robot-lost',
  message: 'The robot was lost while it ran, and it could not go on without.',
  action: "Check the robot's cable and power, then start it again.",
} as const;
const saidEnd = {
  cause: 'unknown',
  message: 'It ended with {end}. Its last words: {said}',
  action: 'Look at the end of its output; ask the author if that does not help.',
} as const;
const silentEnd = {
  cause: 'unknown',
  message: 'It ended with {end} and did not say why.',
  action: 'Start it again; if it happens again, ask the author.',
} as const;

/** Why an app crashed, from what it wrote. Its end counts, not what it went on after. Never throws. */
export function diagnoseCrash(facts: CrashFacts): CrashDiagnosis {
  const lines = facts.lines.slice(-MAX_LINES).map(({ stream, text }) => ({
    stream,
    text: text.slice(0, MAX_LINE_CHARACTERS),
  }));
  const of = (wanted: string): string[] => lines.filter(({ stream }) => stream === wanted).map(({ text }) => text);
  const streams = [of('stderr'), of('stdout')];
  const all = lines.map(({ text }) => text);

  const signal = signalRule(facts, all);
  return asDiagnosis(
    facts,
    (signal && !signal.afterException ? fromSignal(signal, streams) : undefined) ??
      first(streams, (stream) => fromException(facts, stream)) ??
      (signal ? fromSignal(signal, streams) : undefined) ??
      first(streams, (stream) => fromLastWords(facts, stream)) ??
      fromNothing(facts, all),
  );
}

function signalRule({ signal, exitCode }: CrashFacts, lines: readonly string[]): SignalRule | undefined {
  const rule = signalRules.find(
    ({ signals, exitCodes, sign }) =>
      (signal === null ? exitCode !== null && exitCodes.includes(exitCode) : signals.includes(signal)) &&
      (!sign || lines.some((line) => sign.test(line))),
  );
  return rule ?? (signal === null ? undefined : signalRules.at(-1));
}

function fromSignal(rule: SignalRule, [errors = [], output = []]: readonly string[][]): Conclusion {
  const frames = faultFrames(errors);
  const shown = frames.toReversed().flatMap((frame) => frame.shown);
  return { texts: rule, words: {}, frames, evidence: shown.length > 0 ? shown : lastLines([...output, ...errors]) };
}

function fromException(facts: CrashFacts, lines: readonly string[]): Conclusion | undefined {
  const traceback = fatalOne(facts, tracebacksIn(lines), lines);
  if (!traceback) return undefined;
  const failures = tellingFirst(traceback.failures);
  const before = lines.slice(Math.max(0, traceback.start - LINES_BEFORE), traceback.start);
  const known = first(failures, (failure) =>
    first(failure.words, (line) => {
      const known = fromRules(facts, line, [...before, ...shownOf(failure.frames)]);
      return known && { ...known, failure };
    }),
  );
  const failure = known?.failure ?? failures[0];
  if (!failure) return undefined;
  const frames = [failure, ...failures].find((one) => ownFrame(one.frames, facts.appPackage))?.frames ?? [];
  const innermost = failure.frames.at(-1);
  const places = [ownFrame(frames, facts.appPackage), innermost].filter((frame) => frame !== undefined);
  return {
    texts: known?.texts ?? (facts.robotLost ? robotGone : unhandled),
    words: { error: failure.words[0], ...known?.words, at: innermost && codeLocation(innermost, facts.appPackage) },
    frames,
    evidence: [...(known?.beside ?? []), ...shownOf(new Set(places)), ...failure.words],
  };
}

/** Why a program ends that catches what it fails at: it says so in its last lines. */
function fromLastWords(facts: CrashFacts, lines: readonly string[]): Conclusion | undefined {
  const end = lines.findLastIndex((line) => line.trim() !== '' && !isCalmRecord(line)) + 1;
  const begin = Math.max(lines.slice(0, end).findLastIndex(isCalmRecord) + 1, end - LAST_WORDS);
  const words = lines.slice(begin, end).filter((line) => line.trim() !== '');
  const before = lines.slice(Math.max(0, begin - LINES_BEFORE), begin);
  const known = first(words.toReversed(), (line): Conclusion | undefined => {
    const rule = fromRules(facts, line, before);
    return rule && { texts: rule.texts, words: rule.words, frames: [], evidence: [...rule.beside, line] };
  });
  const last = words.at(-1);
  if (known || last === undefined) return known;
  if (facts.robotLost) return { texts: robotGone, words: {}, frames: [], evidence: words };
  const texts = /^(?:\w+\.)*[A-Z]\w*(?:Error|Exception): /.test(last) ? unhandled : saidEnd;
  return { texts, words: { error: last, said: last }, frames: [], evidence: words };
}

function fromNothing(facts: CrashFacts, lines: readonly string[]): Conclusion {
  return { texts: facts.robotLost ? robotGone : silentEnd, words: {}, frames: [], evidence: lastLines(lines) };
}

/** The one that the program ended with. What a thread wrote did not end it, and what a logger wrote need not have. */
function fatalOne(
  { exitCode }: CrashFacts,
  tracebacks: readonly Traceback[],
  lines: readonly string[],
): Traceback | undefined {
  // Python itself ends with 1 after an exception, and other threads may write on after that.
  const fatal = tracebacks.filter(({ by, end }) => (by === 'program' && exitCode === 1) || !wentOn(lines.slice(end)));
  return fatal.findLast(({ by }) => by !== 'thread') ?? fatal.at(-1);
}

/** Whether a program lived on after a traceback, and then had something else to complain of. */
function wentOn(lines: readonly string[]): boolean {
  const calm = lines.findIndex(isCalmRecord);
  return calm >= 0 && lines.slice(calm).some((line) => line.trim() !== '' && !isCalmRecord(line));
}

/** The exceptions of a traceback, the one that tells most first: members before their group, effects before causes. */
function tellingFirst(failures: readonly Failure[]): Failure[] {
  const raised = failures.findLastIndex(({ link }) => link !== 'member');
  const ordered = failures.slice(raised + 1);
  for (const failure of failures.slice(0, raised + 1).reverse()) {
    ordered.push(failure);
    if (failure.link === 'context' && slips.test(failure.words[0] ?? '')) break;
  }
  return ordered.filter(({ words }) => words.length > 0);
}

interface KnownCrash {
  readonly texts: CrashRule;
  readonly words: Words;
  /** The other line that the rule wants, if it wants one. */
  readonly beside: readonly string[];
}

function fromRules(facts: CrashFacts, line: string, others: readonly string[]): KnownCrash | undefined {
  return first(crashRules, (rule) => {
    const words: Words | undefined = rule.sign.exec(line)?.groups ?? (rule.sign.test(line) ? {} : undefined);
    if (!words) return undefined;
    const module = words['module'] ?? '';
    if (rule.ownModule && !`${module}.`.startsWith(`${facts.appPackage}.`)) return undefined;
    const beside = others.findLast((other) => rule.beside?.test(other));
    if (rule.beside && beside === undefined) return undefined;
    const top = module.split('.')[0] ?? '';
    return {
      texts: rule,
      words: { ...words, package: packageOf.get(top) ?? top },
      beside: beside === undefined ? [] : [beside],
    };
  });
}

function asDiagnosis(facts: CrashFacts, { texts, words, frames, evidence }: Conclusion): CrashDiagnosis {
  const own = ownFrame(frames, facts.appPackage);
  const all: Words = {
    ...words,
    sdk: facts.sdkVersion,
    end: facts.signal ?? `exit code ${codeOf(facts.exitCode ?? 0)}`,
    own: own ? codeLocation(own, facts.appPackage) : 'it; the output shows where it fails',
  };
  const fill = (text: string): string =>
    withoutSecrets(text.replaceAll(/\{(\w+)\}/g, (_, name: string) => clipped(all[name] ?? '', MAX_WORD_CHARACTERS)))
      .replace(/[.:]\.$/, '.')
      .trim();
  return {
    cause: texts.cause,
    message: fill(texts.message),
    action: fill(texts.action),
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

const shortened = (line: string): string => clipped(withoutSecrets(line), MAX_EVIDENCE_CHARACTERS);

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The codes of Windows for a crash are known by their hexadecimal form. */
const codeOf = (code: number): string => (code > 0xffff ? `0x${code.toString(16)}` : String(code));

const shownOf = (frames: Iterable<Frame>): string[] => [...frames].flatMap(({ shown }) => shown);

const lastLines = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.trim() !== '').slice(-MAX_EVIDENCE);

/** What `find` gives for the first item that it gives anything for. */
function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
