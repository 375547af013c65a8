import type { Hardware } from './robot/lite/hardware.ts';
import { LiteBackend } from './robot/lite/lite-backend.ts';
import { portFinder } from './robot/lite/port-finder.ts';
import { openSerialLine } from './robot/lite/serial-line.ts';
import type { Clock } from './shared/clock.ts';
import type { Logger } from './shared/logger.ts';

interface LiteOptions {
  readonly hardware: Hardware;
  /** null: found by its USB id. */
  readonly serialPort: string | null;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The parts of a real robot on a USB port, for a daemon and for its guardian. */
export function liteParts({ hardware, serialPort, clock, log }: LiteOptions) {
  const { platform } = process;
  const findPorts = portFinder({ usb: hardware.usb, fixedPath: serialPort, platform });
  const openAt = (baudRate: number) => (path: string, signal: AbortSignal) =>
    openSerialLine(clock, path, baudRate, signal);
  const shared = { hardware, platform, clock, log, openLine: openAt(hardware.baudRate) };
  const createLite = () => new LiteBackend({ ...shared, kind: 'lite', findPorts, simulator: null });
  return { shared, openAt, findPorts, createLite };
}
