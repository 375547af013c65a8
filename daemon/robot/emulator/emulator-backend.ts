import { LiteBackend, type LiteBackendDeps } from '../lite/lite-backend.ts';
import { liteTimes } from '../lite/lite-times.ts';
import type { ServoEmulator } from './servo-emulator.ts';

/**
 * Its servos are objects in the daemon, and their bytes pass through a program's pseudo-terminal: on a busy machine an answer
 * takes longer than a servo's.
 */
const TIMES = { ...liteTimes, answerMs: 100 };

/** The backend of the lite robot on emulated servos, which it starts and stops. */
export class EmulatorBackend extends LiteBackend {
  readonly #emulator: ServoEmulator;

  constructor(emulator: ServoEmulator, deps: Omit<LiteBackendDeps, 'kind' | 'findPorts' | 'simulator'>) {
    let started: Promise<void> | undefined;
    super({
      times: TIMES,
      ...deps,
      kind: 'emulator',
      simulator: emulator.simulator,
      findPorts: async () => {
        started ??= emulator.start();
        await started;
        return emulator.path === null ? [] : [emulator.path];
      },
    });
    this.#emulator = emulator;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#emulator.stop();
  }
}
