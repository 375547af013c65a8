/** The emulated servos on terminals without a program, with a clock that a test moves. */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { PseudoTerminalFailed, type PseudoTerminalOptions } from '../robot/emulator/pseudo-terminal.ts';
import { type EmulatorTerminal, ServoEmulator, type ServoEmulatorOptions } from '../robot/emulator/servo-emulator.ts';
import {
  BROADCAST_ID,
  encodePacket,
  INSTRUCTION,
  PacketReader,
  type Status,
  statusOf,
} from '../robot/lite/dynamixel.ts';
import { readHardware } from '../robot/lite/hardware.ts';
import { numberBytes, type Register, readNumber, registers } from '../robot/lite/registers.ts';
import { createLogger } from '../shared/logger.ts';
import { faultyLine } from './line-faults.ts';
import { manualClock } from './manual-clock.ts';

export const hardware = readHardware(join(import.meta.dirname, '..', '..', 'assets', 'hardware', 'lite.json'));

/** A pseudo-terminal without a program, which opens and ends when a test says so. */
export class FakeTerminal implements EmulatorTerminal {
  readonly options: PseudoTerminalOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly ready = this.#ready.promise;
  readonly closed = this.#closed.promise;
  path: string | null = null;
  isClosing = false;
  readonly #reader = new PacketReader();
  #answers: Status[] = [];

  constructor(options: PseudoTerminalOptions) {
    this.options = options;
    this.ready.catch(() => {}); // as of a real one
  }
  write(bytes: Uint8Array): void {
    this.#answers.push(...this.#reader.push(bytes).flatMap((packet) => statusOf(packet) ?? []));
  }
  close(): Promise<void> {
    this.isClosing = true;
    this.path = null;
    return this.closed;
  }
  async open(path: string): Promise<void> {
    this.path = path;
    this.#ready.resolve();
    await settle();
  }
  /** Ends its program, after `close` or by itself. */
  async end(): Promise<void> {
    this.path = null;
    this.#ready.reject(new PseudoTerminalFailed('Python ended.'));
    this.#closed.resolve();
    await settle();
  }
  /** @returns the answers since the last request */
  answers(): Status[] {
    return this.#answers.splice(0);
  }
  ask(id: number, instruction: number, ...parameters: number[]): Status[] {
    this.options.onData(encodePacket({ id, instruction, parameters: Uint8Array.from(parameters) }));
    return this.answers();
  }
  /** @returns who answers a ping to all */
  ping = () => this.ask(BROADCAST_ID, INSTRUCTION.ping).map(({ id }) => id);
  read(id: number, register: Register): number {
    const [answer] = this.ask(id, INSTRUCTION.read, register.address, 0, register.bytes, 0);
    return answer ? readNumber(answer.data, register) : Number.NaN;
  }
  switchOn = (id: number) =>
    this.ask(id, INSTRUCTION.write, registers.torqueEnable.address, 0, ...numberBytes(1, registers.torqueEnable));
}

/** Lets what has been settled take effect. */
export const settle = (): Promise<void> => nextTurn();

interface EmulatorOptions extends Partial<ServoEmulatorOptions> {
  /** Of the faults of its line. */
  readonly seed?: number;
}

export function newEmulator({ seed, ...options }: EmulatorOptions = {}) {
  const terminals: FakeTerminal[] = [];
  const { openTerminal, setFaults: setLineFaults } = faultyLine({
    open: (given) => {
      const terminal = new FakeTerminal(given);
      terminals.push(terminal);
      return terminal;
    },
    ...(seed !== undefined && { seed }),
  });
  const logged: string[] = [];
  const clock = manualClock();
  onTestFinished(() => expect(clock.pending).toBe(0));
  const emulator = new ServoEmulator({
    hardware,
    program: '/assets/pseudo_terminal.py',
    python: async () => '/usr/bin/python3',
    childEnvironment: () => ({ MARK: `${terminals.length}` }),
    clock,
    log: createLogger('debug', (line) => logged.push(line.slice(13).trim())),
    openTerminal,
    ...options,
  });
  const latest = () => terminals.at(-1) as FakeTerminal;
  /** Stops it, as soon as its programs have ended. */
  const stop = async () => {
    const stopped = emulator.stop();
    for (const terminal of terminals) await terminal.end();
    await stopped;
  };
  const setUnplugged = (isUnplugged: boolean) =>
    emulator.simulator.setFaults(isUnplugged ? [{ kind: 'unplugged' }] : []);
  return { emulator, terminals, latest, logged, clock, stop, setUnplugged, setLineFaults };
}

/** An emulator with an open port. */
export async function startedEmulator(options: EmulatorOptions = {}) {
  const given = newEmulator(options);
  const start = given.emulator.start();
  await settle();
  await given.latest().open('/dev/pts/1');
  await start;
  return given;
}
