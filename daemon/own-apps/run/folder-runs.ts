import { AppAlreadyRunning } from '../../apps/run/errors.ts';
import type { AppSlotState } from '../../contract/apps/app-slot.ts';
import type { OwnAppRun } from '../../contract/apps/own-apps.ts';
import type { FolderRun, FolderRunDeps } from './folder-run.ts';

interface FolderRunsDeps {
  readonly slot: { readonly state: AppSlotState };
  readonly onChange: (folder: string, run: OwnAppRun) => void;
  readonly onDescription: (folder: string) => void;
  /** Loads what runs need, at the first one. */
  readonly load: () => Promise<
    (folder: string, listeners: Pick<FolderRunDeps, 'onChange' | 'onDescription'>) => FolderRun
  >;
}

/** The app that runs from its folder, or waits for a change: at most one, like the slot. */
export class FolderRuns {
  readonly #deps: FolderRunsDeps;
  #current: FolderRun | null = null;

  constructor(deps: FolderRunsDeps) {
    this.#deps = deps;
  }

  /** Whether the app of a folder runs from it, or waits for a change. */
  isActive(folder: string): boolean {
    return this.#active?.folder === folder;
  }

  /** Runs the app of a folder, in the place of the one before it. @throws AppAlreadyRunning */
  async run(folder: string, { replace }: { readonly replace: boolean }): Promise<void> {
    const { slot, load, onChange, onDescription } = this.#deps;
    const newRun = await load();
    const active = this.#active;
    if (active?.folder === folder && active.state !== 'waiting') return;
    const { state } = slot;
    if (state.state !== 'free' && !(replace && state.holder.kind === 'managed-app')) {
      throw new AppAlreadyRunning(state.holder);
    }
    if (active?.folder === folder) return active.start({ replace });
    // One that runs goes on until the new one takes its place; one that waits for a change has no place.
    if (active?.state !== 'running') void active?.close();
    this.#current = newRun(folder, {
      onChange: (run) => onChange(folder, run),
      onDescription: () => onDescription(folder),
    });
    this.#current.start({ replace });
  }

  /** Ends the run of a folder; settles once its app has ended. Does nothing when there is none. */
  async stop(folder: string): Promise<void> {
    if (this.#active?.folder === folder) await this.#active.stop();
  }

  /** Ends the watch. The runner stops the app. */
  async close(): Promise<void> {
    await this.#active?.close();
  }

  get #active(): FolderRun | null {
    return this.#current?.isOver === false ? this.#current : null;
  }
}
