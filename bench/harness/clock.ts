import { NotMeasurable } from './figure.ts';

/** The system's steady clock, in milliseconds; on Linux that of every process here, Python's `time.monotonic_ns()` too. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Python's `time.monotonic_ns()`, as text. */
export function fromPythonNs(ns: number | string): number {
  return Number(ns) / 1e6;
}

/** @throws NotMeasurable where Node and Python may count from different moments */
export function requireSharedClock(): void {
  if (process.platform !== 'linux')
    throw new NotMeasurable('Node and Python are known to share a clock on Linux only.');
}
