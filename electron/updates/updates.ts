import type { DesktopUpdate, UpdateStep } from '../../daemon/contract/desktop.ts';
import { settlesWithin } from '../../daemon/shared/async/settles-within.ts';
import type { Clock } from '../../daemon/shared/clock.ts';
import { Conflict } from '../../daemon/shared/domain-error.ts';
import { errorText } from '../../daemon/shared/logger.ts';
import type { DownloadProgress, ProgramUpdater } from './program-updater.ts';
import { updateFailure } from './update-failure.ts';
import type { Release, UpdateWay } from './update-way.ts';

/** The first look comes after the start, which needs the processor. */
const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 24 * 60 * 60_000;
/** The longest time of a look. electron-updater has no limit. */
const LOOK_MS = 60_000;
/** A download of which nothing comes for this long is cut off. */
const SILENCE_MS = 60_000;

class UpdateStepRefused extends Conflict {}

export interface UpdatesDeps {
  /** How this copy is updated; looked up once. */
  readonly way: () => Promise<UpdateWay>;
  /** Loaded when it is first needed. */
  readonly updater: () => Promise<ProgramUpdater>;
  /**
   * Quits the program in order, and then calls `install`, which does not settle unless it fails, with a sentence. Called
   * once the newer version is downloaded and verified.
   */
  readonly replaceProgram: (install: () => Promise<never>) => void;
  readonly clock: Clock;
}

/** Newer versions of the program: looks for them once a day; downloads and installs one only when its user asks. */
export class Updates {
  readonly #deps: UpdatesDeps;
  #way: UpdateWay = { by: 'off', reason: 'This start has just begun.' };
  #update: DesktopUpdate = { state: 'off', reason: null };
  #found: Release | null = null;
  #lookedAt: string | null = null;
  /** Cancels the download. */
  #download: AbortController | null = null;
  #endLooks = (): void => {};
  /** Called after each change. */
  onChange = (): void => {};

  constructor(deps: UpdatesDeps) {
    this.#deps = deps;
  }

  get update(): DesktopUpdate {
    return this.#update;
  }

  /** Finds out how this copy is updated, and looks for newer versions if that is switched on. */
  async begin(isOn: boolean): Promise<void> {
    this.#way = await this.#deps.way();
    this.switch(isOn, FIRST_LOOK_MS);
  }

  /** Looks from now on, or no more: a download is cancelled then, and what was downloaded is not installed. */
  switch(isOn: boolean, firstLookMs = 0): void {
    this.#endLooks();
    this.#endLooks = () => {};
    this.#download?.abort();
    const way = this.#way;
    const isLooking = way.by !== 'off' && isOn;
    const off: DesktopUpdate = { state: 'off', reason: way.by === 'off' ? way.reason : null };
    this.#become(isLooking ? { state: 'none', lookedAt: this.#lookedAt } : off);
    if (!isLooking) return;
    const { clock } = this.#deps;
    const endFirst = clock.after(firstLookMs, () => void this.#look());
    const endOthers = clock.every(LOOK_EVERY_MS, () => void this.#look());
    this.#endLooks = () => {
      endFirst();
      endOthers();
    };
  }

  /** Begins a step. @throws Conflict when it does not suit the state */
  step(step: UpdateStep): void {
    const { state } = this.#update;
    switch (step) {
      case 'look':
        if (state === 'off') throw new UpdateStepRefused('Updates are switched off, or this copy gets none.');
        void this.#look();
        break;
      case 'download':
        if (this.#update.state !== 'available' || this.#update.by !== 'program')
          throw new UpdateStepRefused('There is no newer version that can be downloaded here.');
        void this.#fetch();
        break;
      case 'cancel':
        this.#download?.abort();
        break;
      case 'install':
        if (state !== 'ready') throw new UpdateStepRefused('No newer version is downloaded.');
        this.#install();
    }
  }

  /** Never rejects. A look does not disturb a step that its user began. */
  async #look(): Promise<void> {
    if (['looking', 'downloading', 'ready', 'installing'].includes(this.#update.state)) return;
    this.#become({ state: 'looking' });
    try {
      const looking = this.#deps.updater().then((updater) => updater.look());
      if (!(await settlesWithin(this.#deps.clock, LOOK_MS, looking))) throw new Error('The look timed out.');
      const found = await looking;
      if (this.#update.state !== 'looking') return; // switched off meanwhile, and perhaps on again
      this.#found = found;
      this.#lookedAt = this.#deps.clock.now().toISOString();
      this.#become(this.#offer());
    } catch (error) {
      if (this.#update.state === 'looking') this.#fail(error, 'look');
    }
  }

  /** The newer version that is known, and how far its update is. */
  #offer(): DesktopUpdate {
    const way = this.#way;
    if (this.#found === null || way.by === 'off') return { state: 'none', lookedAt: this.#lookedAt };
    const { version } = this.#found;
    if (way.by !== 'command') return { state: 'available', version, by: way.by, command: null };
    const command = way.command(this.#found);
    return { state: 'available', version, by: command === null ? 'hand' : 'command', command };
  }

  /** Downloads the version that was found. Never rejects. */
  async #fetch(): Promise<void> {
    const version = this.#found?.version ?? '';
    const download = new AbortController();
    this.#download = download;
    const { signal } = download;
    this.#become(downloading(version, { transferred: 0, total: 0, bytesPerSecond: 0 }));
    const cut = new Error('The download timed out.');
    const waitForMore = () => this.#deps.clock.after(SILENCE_MS, () => download.abort(cut));
    let endWait = waitForMore();
    let shownPercent = 0;
    const onProgress = (progress: DownloadProgress) => {
      endWait();
      endWait = waitForMore();
      const percent = Math.floor((100 * progress.transferred) / progress.total);
      if (signal.aborted || percent === shownPercent) return;
      shownPercent = percent;
      this.#become(downloading(version, progress));
    };
    try {
      await (await this.#deps.updater()).download(onProgress, signal);
      if (!signal.aborted) this.#become({ state: 'ready', version });
    } catch (error) {
      if (!signal.aborted || signal.reason === cut) this.#fail(signal.aborted ? cut : error, 'download');
    } finally {
      endWait();
      if (this.#download === download) this.#download = null;
    }
    if (signal.aborted && this.#update.state === 'downloading') this.#become(this.#offer());
  }

  #install(): void {
    const { updater, replaceProgram } = this.#deps;
    this.#become({ state: 'installing', version: this.#found?.version ?? '' });
    replaceProgram(async () => {
      try {
        return await (await updater()).install();
      } catch (error) {
        console.error(errorText(error));
        throw new Error(updateFailure(error, 'install').reason, { cause: error });
      }
    });
  }

  #fail(error: unknown, step: 'look' | 'download'): void {
    console.error(errorText(error));
    this.#become({ state: 'failed', ...updateFailure(error, step) });
  }

  #become(update: DesktopUpdate): void {
    this.#update = update;
    this.onChange();
  }
}

function downloading(version: string, { transferred, total, bytesPerSecond }: DownloadProgress): DesktopUpdate {
  const transfer = {
    doneBytes: transferred,
    totalBytes: total > 0 ? total : null,
    bytesPerSecond: Math.round(bytesPerSecond),
    stalled: false,
  };
  return { state: 'downloading', version, transfer };
}
