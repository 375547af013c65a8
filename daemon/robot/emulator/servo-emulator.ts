import type { SimulatedFault } from '../../contract/robot/robot.ts';
import type { Logger } from '../../shared/logger.ts';
import { PacketReader } from '../lite/dynamixel.ts';
import type { Hardware } from '../lite/hardware.ts';
import type { Simulator } from '../robot-backend.ts';
import { randomNumbers } from '../simulation/random-numbers.ts';
import { EmulatedBus } from './emulated-bus.ts';
import type { Configuration } from './emulated-servo.ts';
import { type LineTrouble, throughTrouble } from './line-faults.ts';
import { PseudoTerminal, PseudoTerminalFailed } from './pseudo-terminal.ts';

/** A terminal that went away by itself comes back after so long. */
const PLUG_AGAIN_MS = 1_000;
/** More answers than these are not held back: the rest is lost. */
const MOST_LATE_ANSWERS = 100;

export interface ServoEmulatorOptions {
  readonly hardware: Hardware;
  /** The program that has the pseudo-terminal, `assets/emulator/pseudo_terminal.py`. */
  readonly program: string;
  /** Finds Python's executable, 3.10 or newer. */
  readonly python: () => Promise<string>;
  /** The whole environment of that program. */
  readonly childEnvironment: () => Record<string, string>;
  /** A steady clock: the servos live by it. */
  readonly nowMs: () => number;
  readonly log: Logger;
  /** What the servos' EEPROM holds at first; `right` when left out. */
  readonly configuration?: Configuration;
  /** The same seed makes the same trouble on the line. */
  readonly seed?: number;
}

/**
 * The nine servos of the robot as programs, on a pseudo-terminal that is opened like the port of the real ones. Closing
 * the port leaves them as they are, and so does unplugging it: they have a supply of their own.
 */
export class ServoEmulator {
  /** The hand and the bad luck that they meet. */
  readonly simulator: Simulator;
  readonly #options: ServoEmulatorOptions;
  readonly #bus: EmulatedBus;
  readonly #reader = new PacketReader();
  readonly #random: () => number;
  readonly #late = new Set<NodeJS.Timeout>();
  readonly #endings = new Set<Promise<void>>();
  #python: string | null = null;
  #terminal: PseudoTerminal | null = null;
  #pluggingAgain: NodeJS.Timeout | undefined;
  #unplugged = false;
  #stopped = false;
  #trouble: LineTrouble = {};

  constructor(options: ServoEmulatorOptions) {
    const { hardware, nowMs, configuration = 'right', seed = 1 } = options;
    this.#options = options;
    this.#random = randomNumbers(seed);
    this.#bus = new EmulatedBus({ hardware, nowMs, configuration });
    this.simulator = {
      touch: (antenna) => this.#bus.touch(antenna),
      setFaults: (faults) => this.#setFaults(faults),
    };
  }

  /** Where the servos' port is opened; null while it is unplugged. After each plugging it may be another one. */
  get path(): string | null {
    return this.#terminal?.path ?? null;
  }

  /** Plugs it in, unless it is to be unplugged. @throws PseudoTerminalFailed, or what `python` throws */
  async start(): Promise<void> {
    if (process.platform === 'win32') {
      throw new PseudoTerminalFailed('The emulator needs a pseudo-terminal, and Windows has none. Use the simulation.');
    }
    this.#python = await this.#options.python();
    try {
      if (!this.#unplugged) await this.#plug();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Ends the pseudo-terminal, for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unplug();
    await Promise.all(this.#endings);
  }

  /** Makes the line a bad one, both ways, from now on; `{}` makes it good again. */
  trouble(trouble: LineTrouble): void {
    this.#trouble = trouble;
  }

  /** What the servos measure of their supply, in volts; null: an ordinary one. */
  setSupplyV(supplyV: number | null): void {
    this.#bus.setSupplyV(supplyV);
  }

  #setFaults(faults: readonly SimulatedFault[]): void {
    this.#bus.setFaults(faults);
    const unplugged = faults.some(({ kind }) => kind === 'unplugged');
    if (unplugged === this.#unplugged) return;
    this.#unplugged = unplugged;
    if (unplugged) this.#unplug();
    else void this.#plug().catch(() => this.#plugAgain());
  }

  /** @throws PseudoTerminalFailed, unless it was unplugged meanwhile */
  async #plug(): Promise<void> {
    if (this.#python === null || this.#stopped) return;
    const { program, childEnvironment } = this.#options;
    const terminal = new PseudoTerminal({
      python: this.#python,
      program,
      environment: childEnvironment(),
      onData: (bytes) => {
        if (terminal === this.#terminal) this.#hear(bytes);
      },
    });
    this.#terminal = terminal;
    this.#endings.add(terminal.closed);
    void terminal.closed.then(() => this.#endings.delete(terminal.closed));
    try {
      await terminal.ready;
    } catch (error) {
      if (terminal === this.#terminal) throw error;
    }
    void terminal.closed.then(() => {
      if (terminal === this.#terminal) this.#plugAgain();
    });
  }

  #unplug(): void {
    clearTimeout(this.#pluggingAgain);
    const terminal = this.#terminal;
    this.#terminal = null;
    void terminal?.close();
    for (const timer of this.#late) clearTimeout(timer);
    this.#late.clear();
    this.#reader.reset();
  }

  /** Somebody ended the program that has the terminal. */
  #plugAgain(): void {
    const { log } = this.#options;
    log.warn("The emulator's pseudo-terminal is gone; it is opened again.");
    this.#unplug();
    this.#pluggingAgain = setTimeout(() => {
      void this.#plug().catch((error) => {
        log.error('The emulator cannot be plugged in again', error);
        this.#plugAgain();
      });
    }, PLUG_AGAIN_MS);
  }

  #hear(bytes: Uint8Array): void {
    for (const packet of this.#reader.push(throughTrouble(bytes, this.#trouble, this.#random))) {
      const answer = throughTrouble(this.#bus.answer(packet), this.#trouble, this.#random);
      if (answer.length > 0) this.#say(answer);
    }
  }

  #say(answer: Uint8Array): void {
    const { lateShare = 0, lateMs = 0 } = this.#trouble;
    if (this.#random() >= lateShare) {
      this.#terminal?.write(answer);
    } else if (this.#late.size < MOST_LATE_ANSWERS) {
      const timer = setTimeout(() => {
        this.#late.delete(timer);
        this.#terminal?.write(answer);
      }, lateMs);
      this.#late.add(timer);
    }
  }
}
