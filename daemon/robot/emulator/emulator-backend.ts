import { LiteBackend, type LiteBackendDeps } from '../lite/lite-backend.ts';
import type { ServoEmulator } from './servo-emulator.ts';

/** The lite robot's own software on servos that are programs, which it starts and ends. */
export class EmulatorBackend extends LiteBackend {
  readonly #emulator: ServoEmulator;

  constructor(emulator: ServoEmulator, deps: Omit<LiteBackendDeps, 'kind' | 'findPorts' | 'simulator'>) {
    let started: Promise<void> | undefined;
    super({
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
