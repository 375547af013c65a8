import { NotMeasurable } from './figure.ts';

/** The system's monotonic clock, in milliseconds; on Linux, all processes share it, also Python's `time.monotonic_ns()`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Converts Python's `time.monotonic_ns()` to milliseconds. */
export function fromPythonNs(ns: number | string): number {
  return Number(ns) / 1e6;
}

/** @throws NotMeasurable where the clocks of Node and Python may differ */
export function requireSharedClock(): void {
  if (process.platform !== 'linux') throw new NotMeasurable('Node and Python share a clock on Linux only.');
}
