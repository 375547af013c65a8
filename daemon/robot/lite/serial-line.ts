import { constants, open } from 'node:fs/promises';
import type { SerialPort } from 'serialport';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';

export interface SerialLine {
  /** Sends bytes. Bytes that cannot be sent are lost. */
  write(bytes: Uint8Array): void;
  /** Sets the listener for incoming bytes. One listener per line. */
  onBytes(listener: (bytes: Uint8Array) => void): void;
  /** Resolves with the reason when the line is closed or lost. Never rejects. */
  readonly closed: Promise<string>;
  close(): Promise<void>;
}

/** `permission`: the user lacks it. `busy`: another program uses the port. `gone`: there is no such port. */
export type PortRefusal = 'permission' | 'busy' | 'gone' | 'other';

export class PortError extends Error {
  readonly refusal: PortRefusal;

  constructor(refusal: PortRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

const OPEN_LIMIT_MS = 5000;
const CLOSE_LIMIT_MS = 1000;
/** More than one tick of the control loop sends; a line with so many unsent bytes is stuck. */
const MAX_UNSENT_BYTES = 1024;
const READ_BUFFER_BYTES = 4096;

/** Opens a serial port exclusively. @throws PortError */
export async function openSerialLine(
  clock: Clock,
  path: string,
  baudRate: number,
  signal: AbortSignal,
): Promise<SerialLine> {
  // Loaded here because a simulation does not need its native code.
  const { SerialPort } = await import('serialport');
  const port = new SerialPort({ path, baudRate, lock: true, autoOpen: false, highWaterMark: READ_BUFFER_BYTES });
  const opened = new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  try {
    if (!(await settlesWithin(clock, OPEN_LIMIT_MS, opened))) throw new Error('it takes too long');
    signal.throwIfAborted();
    return lineOf(clock, port);
  } catch (error) {
    const ended = opened.then(
      () => closed(clock, port),
      () => {},
    );
    await settlesWithin(clock, CLOSE_LIMIT_MS, ended); // a port that opens later is closed then
    if (signal.aborted) throw error;
    const { message } = error as Error;
    throw new PortError(await refusalOf(path, message), message);
  }
}

function lineOf(clock: Clock, port: SerialPort): SerialLine {
  port.on('error', () => {}); // `close` follows every error
  return {
    write: (bytes) => {
      if (port.isOpen && port.writableLength < MAX_UNSENT_BYTES) port.write(bytes);
    },
    onBytes: (listener) => void port.on('data', listener),
    closed: new Promise((resolve) => {
      port.once('close', (error?: Error | null) => resolve(error?.message ?? 'closed'));
    }),
    close: () => closed(clock, port),
  };
}

/** Closes a port, or waits until it has closed. Drops unsent bytes, for which the system might wait long. */
async function closed(clock: Clock, port: SerialPort): Promise<void> {
  if (port.isOpen) {
    await settlesWithin(clock, CLOSE_LIMIT_MS, new Promise<void>((resolve) => port.flush(() => resolve())));
  }
  const over = new Promise<void>((resolve) => {
    if (port.isOpen) port.close(() => resolve());
    else if (port.closing) port.once('close', () => resolve());
    else resolve();
  });
  await settlesWithin(clock, CLOSE_LIMIT_MS, over);
}

const refusals: Readonly<Record<string, PortRefusal>> = {
  EACCES: 'permission',
  EPERM: 'permission',
  EBUSY: 'busy',
  ENOENT: 'gone',
  ENXIO: 'gone',
  ENODEV: 'gone',
  EIO: 'gone',
};

/** Why a port was not opened. The library's messages are partly localized, so the port is opened again for the code. */
async function refusalOf(path: string, message: string): Promise<PortRefusal> {
  if (/cannot lock port|access denied/i.test(message)) return 'busy'; // the latter on Windows, for a busy port
  if (/file not found/i.test(message)) return 'gone';
  if (process.platform === 'win32') return 'other';
  try {
    const file = await open(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    await file.close();
    return 'other';
  } catch (error) {
    return refusals[(error as NodeJS.ErrnoException).code ?? ''] ?? 'other';
  }
}
