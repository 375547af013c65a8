/** Faults of the serial line between a program and the emulated servos. */
import { PseudoTerminal, type PseudoTerminalOptions } from '../robot/emulator/pseudo-terminal.ts';
import type { EmulatorTerminal } from '../robot/emulator/servo-emulator.ts';
import { randomNumbers } from '../robot/simulation/random-numbers.ts';

/** Shares are from 0 to 1; omitted faults do not happen. */
export interface LineFaults {
  /** Share of bytes that are lost. */
  readonly dropByte?: number;
  /** Share of bytes with one flipped bit. */
  readonly corruptByte?: number;
  /** Share of answers that come late. */
  readonly lateShare?: number;
  readonly lateMs?: number;
}

/** Limit of delayed answers; more are lost. */
const MAX_LATE_ANSWERS = 100;

type OpenTerminal = (options: PseudoTerminalOptions) => EmulatorTerminal;

const openPseudoTerminal: OpenTerminal = (options) => new PseudoTerminal(options);

/** A line without faults at first. @param line.open opens its terminals. @param line.seed the same one gives the same faults */
export function faultyLine({ open = openPseudoTerminal, seed = 1 }: { open?: OpenTerminal; seed?: number } = {}) {
  const random = randomNumbers(seed);
  let faults: LineFaults = {};
  /** The bytes that arrive, with losses and flipped bits. */
  const arrived = (bytes: Uint8Array): Uint8Array => {
    const { dropByte = 0, corruptByte = 0 } = faults;
    return Uint8Array.from(
      [...bytes].flatMap((byte) => {
        if (random() < dropByte) return [];
        return [random() < corruptByte ? byte ^ (1 << Math.floor(8 * random())) : byte];
      }),
    );
  };
  const openTerminal: OpenTerminal = (options) => {
    const terminal = open({ ...options, onData: (bytes) => options.onData(arrived(bytes)) });
    const late = new Set<() => void>();
    return {
      ready: terminal.ready,
      closed: terminal.closed,
      get path() {
        return terminal.path;
      },
      write: (bytes) => {
        const answer = arrived(bytes);
        const { lateShare = 0, lateMs = 0 } = faults;
        if (answer.length === 0) return;
        if (random() >= lateShare) terminal.write(answer);
        else if (late.size < MAX_LATE_ANSWERS) {
          const cancel = options.clock.after(lateMs, () => {
            late.delete(cancel);
            terminal.write(answer);
          });
          late.add(cancel);
        }
      },
      close: () => {
        for (const cancel of late) cancel();
        late.clear();
        return terminal.close();
      },
    };
  };
  return {
    openTerminal,
    /** Sets the faults of the line in both directions; `{}` removes them. */
    setFaults: (next: LineFaults): void => {
      faults = next;
    },
  };
}
