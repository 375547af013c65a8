import type { CardUse, GraphicsCard } from '../../../daemon/contract/compute/graphics-cards.ts';
import type { agreement, Speeds, StartTimes } from './measurements.ts';
import type { ModelShape } from './random-model.ts';

/** A thing that must hold. */
export interface Check {
  readonly what: string;
  readonly isMet: boolean;
  /** The values that decided. */
  readonly detail: string;
}

interface Measured {
  readonly first: StartTimes;
  readonly second: StartTimes;
  readonly speeds: Speeds;
}

/** The JSON of a run. */
export interface CardReport {
  readonly takenAt: string;
  /** Whether the card was a software driver: then no card was measured. */
  readonly isSoftware: boolean;
  readonly machine: Readonly<Record<'cpu' | 'system' | 'node', string> & Record<'cores' | 'memoryGb', number>>;
  /** Of the kernel, with its version; null: unknown. */
  readonly driver: string | null;
  readonly card: GraphicsCard;
  readonly model: { readonly name: string; readonly bytes: number; readonly shape: ModelShape };
  /** Whether the driver had compiled nothing yet: the first start then includes it. */
  readonly isCacheNew: boolean;
  readonly measured: { readonly card: Measured; readonly processor: Measured };
  // From here on null: the step failed, as the checks say.
  readonly agreement: ReturnType<typeof agreement> | null;
  /** The memory of two endpoints: as llama.cpp counts it, and as the card has less free. */
  readonly two: {
    readonly countedBytes: number;
    readonly takenBytes: number;
    readonly toleratedBytes: number;
    /** False: the card's memory is the machine's, which other programs use too. */
    readonly isChecked: boolean;
  } | null;
  readonly partly: CardUse | null;
  readonly tooLarge: {
    readonly freeBytes: number;
    readonly ctxSize: number;
    /** Of its failure; null: it runs. */
    readonly reason: string | null;
    readonly outcome: string;
  } | null;
  readonly checks: readonly Check[];
  readonly tookS: number;
}

/** The figures of the card beside those of the processor, and the checks. */
export function resultTable(report: CardReport): string {
  const { card, model, machine, driver, isSoftware, isCacheNew, measured, checks, tookS } = report;
  const alike = report.agreement;
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const row = (label: string, of: (measured: Measured) => string) => [label, of(measured.card), of(measured.processor)];
  const rows = [
    ['', 'card', 'processor'],
    row(`first start, running${isCacheNew ? ' (compiles)' : ''}`, ({ first }) => seconds(first.runningS)),
    row('first start, first answer', ({ first }) => seconds(first.firstAnswerS)),
    row('second start, running', ({ second }) => seconds(second.runningS)),
    row('second start, first answer', ({ second }) => seconds(second.firstAnswerS)),
    row('prompt, tokens a second', ({ speeds }) => speedText(speeds.prompt)),
    row('generated, tokens a second', ({ speeds }) => speedText(speeds.generated)),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const unmet = checks.filter(({ isMet }) => !isMet);
  return [
    `${card.name} (${driver ?? card.driver ?? 'unknown driver'}), ${inMib(card.totalBytes)}${isSoftware ? ': NO CARD, a software driver' : ''}`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}`,
    `Model ${model.name}, ${inMib(model.bytes)}. Three rounds each.`,
    '',
    ...rows.map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    '',
    alike
      ? `Answers at temperature 0 begin with ${alike.alike} tokens alike, of ${alike.of}.`
      : 'No answers to compare.',
    `Too large: ${report.tooLarge?.outcome ?? 'not tried'}`,
    `${checks.length - unmet.length} of ${checks.length} checks are met, after ${tookS} s.`,
    ...unmet.map(({ what, detail }) => `NOT MET: ${what}${detail && ` (${detail})`}`),
  ].join('\n');
}

export function inMib(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}

/** One speed for each round. */
export function speedText(values: readonly number[]): string {
  return values.map((value) => value.toFixed(value < 100 ? 1 : 0)).join(', ');
}
