import type { Machine } from './machine.ts';
import type { FigureReport, Row } from './rows.ts';

const heads = ['figure', 'median', 'p99', 'samples', 'reference', 'p99', 'aim', ''];

/** Formats the rows of all figures, then the missing figures with the reason, then a note on how each was measured. */
export function table(reports: readonly FigureReport[]): string {
  const lines = [heads, ...reports.flatMap(({ rows }) => rows).map(cells)];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : padNumber(cell, widths[column], column))),
  );
  const missing = reports
    .filter(({ state }) => state !== 'measured')
    .map(({ name, state, reason }) => `${state.toUpperCase()} ${name}: ${reason}`);
  const notes = reports.map(
    ({ name, measures, beside }) => `${name}: ${measures}${beside ? `; reference: ${beside}` : ''}.`,
  );
  return [...text.map((line) => line.join('  ').trimEnd()), '', ...missing, ...notes].join('\n');
}

export function machineLines(machine: Machine): string {
  const { cpu, cores, memoryGb, os, node, python, chromium, loadAtStart } = machine;
  return [
    `${cpu}, ${cores} cores, ${memoryGb} GB, load ${loadAtStart.toFixed(2)} at start, ${os}`,
    `Node ${node}, Python ${python ?? 'missing'}, ${chromium ?? 'no Chromium'}`,
    'ms: milliseconds, MB: a million bytes, kB: 1000 bytes; p99 of fewer than 100 samples is the highest one',
  ].join('\n');
}

function cells({ label, unit, ours, beside, aim, met }: Row): string[] {
  const of = (value: number | undefined) => (value === undefined ? '' : `${rounded(value)} ${unit}`);
  const verdict = met === null ? '' : met ? 'met' : 'missed';
  const numbers = [of(ours.median), of(ours.p99), String(ours.samples), of(beside?.median), of(beside?.p99)];
  return [label, ...numbers, aim?.text ?? '', verdict];
}

function padNumber(cell: string, width = 0, column: number): string {
  return column < 6 ? cell.padStart(width) : cell.padEnd(width);
}

function rounded(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
