import { cleanUpAll } from './cleanup.ts';
import { type Figure, type FigureOptions, NotMeasurable } from './figure.ts';
import type { FigureReport, Row } from './rows.ts';

/** The time limit for a figure. */
const LIMIT_MS = 10 * 60_000;

/** Measures a figure and cleans up after it. Never rejects: the report says whether it was measured, skipped or failed. */
export async function runFigure(figure: Figure, options: FigureOptions): Promise<FigureReport> {
  const startMs = performance.now();
  const report = (state: FigureReport['state'], reason: string | null, rows: readonly Row[]): FigureReport => {
    const { name, measures, beside } = figure;
    return { name, measures, beside, state, reason, tookS: Math.round((performance.now() - startMs) / 100) / 10, rows };
  };
  try {
    return report('measured', null, await withinLimit(figure.measure(options)));
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    if (error instanceof NotMeasurable) {
      console.error(`SKIPPED ${figure.name}: ${message}`);
      return report('skipped', message, []);
    }
    console.error(`FAILED ${figure.name}: ${stack ?? message}`);
    return report('failed', message, []);
  } finally {
    await cleanUpAll();
  }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It did not end within ${LIMIT_MS / 60_000} min.`)), LIMIT_MS);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
