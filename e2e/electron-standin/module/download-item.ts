import { EventEmitter } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SaveDialogOptions } from 'electron';
import { knowsOnly } from './events.ts';
import { runningChromium } from './running-chromium.ts';

interface DownloadFacts {
  readonly guid: string;
  readonly url: string;
  readonly file: string;
  readonly hasUserGesture: boolean;
}

/** A file that a page saves. */
export class DownloadItem extends EventEmitter {
  readonly #facts: DownloadFacts;
  #savePath = '';
  #dialog: SaveDialogOptions = {};

  constructor(facts: DownloadFacts) {
    super();
    knowsOnly(this, ['done']);
    this.#facts = facts;
  }

  getURL(): string {
    return this.#facts.url;
  }
  /** Without redirects, which Chromium's protocol does not tell. */
  getURLChain(): string[] {
    return [this.#facts.url];
  }
  getFilename(): string {
    return this.#facts.file;
  }
  hasUserGesture(): boolean {
    return this.#facts.hasUserGesture;
  }
  getSavePath(): string {
    return this.#savePath;
  }
  setSavePath(path: string): void {
    this.#savePath = path;
  }
  getSaveDialogOptions(): SaveDialogOptions {
    return this.#dialog;
  }
  setSaveDialogOptions(options: SaveDialogOptions): void {
    this.#dialog = options;
  }

  /** For the stand-in: Chromium has the whole file, or has given up. */
  end(state: 'completed' | 'cancelled'): void {
    const file = join(runningChromium().downloadFolder, this.#facts.guid);
    if (state === 'completed' && this.#savePath !== '') cpSync(file, this.#savePath);
    rmSync(file, { force: true });
    this.emit('done', {}, state);
  }
}
