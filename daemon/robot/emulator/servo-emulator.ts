import type { SimulatedFault } from '../../contract/robot/robot.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import { PacketReader } from '../lite/dynamixel.ts';
import type { Hardware } from '../lite/hardware.ts';
import type { Simulator } from '../robot-backend.ts';
import { EmulatedBus } from './emulated-bus.ts';
import type { Configuration } from './emulated-servo.ts';
import { PseudoTerminal, PseudoTerminalFailed, type PseudoTerminalOptions } from './pseudo-terminal.ts';

/** Delay until a terminal that ended unexpectedly is opened again. */
const REPLUG_MS = 1_000;

/** The part of a pseudo-terminal that the emulator needs. */
export type EmulatorTerminal = Pick<PseudoTerminal, 'ready' | 'closed' | 'path' | 'write' | 'close'>;

export interface ServoEmulatorOptions {
  readonly hardware: Hardware;
  /** The program that opens the pseudo-terminal, `assets/emulator/pseudo_terminal.py`. */
  readonly program: string;
  /** Finds Python's executable, 3.10 or newer. */
  readonly python: () => Promise<string>;
  readonly childEnvironment: () => Record<string, string>;
  readonly clock: Clock;
  readonly log: Logger;
  /** The initial content of the servos' EEPROM; `right` when omitted. */
  readonly configuration?: Configuration;
  /** Opens a pseudo-terminal; a real one when omitted. */
  readonly openTerminal?: (options: PseudoTerminalOptions) => EmulatorTerminal;
}

const openPseudoTerminal = (options: PseudoTerminalOptions) => new PseudoTerminal(options);

/**
 * The nine servos of the robot, emulated on a pseudo-terminal that is opened like the port of the real ones. Closing or
 * unplugging the port does not affect them: they have their own power supply.
 */
export class ServoEmulator {
  readonly simulator: Simulator;
  readonly #options: ServoEmulatorOptions;
  readonly #bus: EmulatedBus;
  readonly #reader = new PacketReader();
  readonly #endings = new Set<Promise<void>>();
  #python: string | null = null;
  #terminal: EmulatorTerminal | null = null;
  #cancelReplug = () => {};
  #unplugged = false;
  #stopped = false;

  constructor(options: ServoEmulatorOptions) {
    const { hardware, clock, configuration = 'right' } = options;
    this.#options = options;
    this.#bus = new EmulatedBus({ hardware, clock, configuration });
    this.simulator = {
      touch: (antenna) => this.#bus.touch(antenna),
      setFaults: (faults) => this.#setFaults(faults),
    };
  }

  /** The path of the servos' port; null while unplugged. It may change when the port is plugged in again. */
  get path(): string | null {
    return this.#terminal?.path ?? null;
  }

  /** Plugs the port in, unless the fault `unplugged` is set. @throws PseudoTerminalFailed, or the error of `python` */
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

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unplug();
    await Promise.all(this.#endings);
  }

  #setFaults(faults: readonly SimulatedFault[]): void {
    this.#bus.setFaults(faults);
    const unplugged = faults.some(({ kind }) => kind === 'unplugged');
    if (unplugged === this.#unplugged) return;
    this.#unplugged = unplugged;
    if (unplugged) this.#unplug();
    else void this.#plug().catch(() => this.#replug());
  }

  /** @throws PseudoTerminalFailed, unless it was unplugged meanwhile */
  async #plug(): Promise<void> {
    if (this.#python === null || this.#stopped) return;
    const { program, childEnvironment, clock, openTerminal = openPseudoTerminal } = this.#options;
    const terminal = openTerminal({
      python: this.#python,
      program,
      environment: childEnvironment(),
      clock,
      onData: (bytes) => {
        if (terminal === this.#terminal) this.#receive(bytes);
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
      if (terminal === this.#terminal) this.#replug();
    });
  }

  #unplug(): void {
    this.#cancelReplug();
    const terminal = this.#terminal;
    this.#terminal = null;
    void terminal?.close();
    this.#reader.reset();
  }

  /** Opens the terminal again after its program ended unexpectedly. */
  #replug(): void {
    const { clock, log } = this.#options;
    log.warn("robot: the emulator's pseudo-terminal has ended and is opened again");
    this.#unplug();
    this.#cancelReplug = clock.after(REPLUG_MS, () => {
      void this.#plug().catch((error) => {
        log.error("robot: the emulator's pseudo-terminal could not be opened again", error);
        this.#replug();
      });
    });
  }

  #receive(bytes: Uint8Array): void {
    for (const packet of this.#reader.push(bytes)) {
      const answer = this.#bus.answer(packet);
      if (answer.length > 0) this.#terminal?.write(answer);
    }
  }
}
