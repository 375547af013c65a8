import * as z from 'zod';
import { Timestamp } from '../contract/common/common.ts';
import type { Now } from '../shared/clock.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';

/** The file of the last uses of tokens by their ids, `token-uses.json`. */
export const TokenUsesFile = z.object({ uses: z.record(z.string(), Timestamp) });

/** Uses are saved when the last save is older. */
const SAVE_EVERY_MS = 60 * 60_000;
/** As many as there can be tokens. */
const MAX_USES = 1_000;

interface TokenUsesDeps {
  readonly file: string;
  readonly now: Now;
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

/** When each token was used last. A use of the last hour may be lost with the daemon. */
export class TokenUses {
  readonly #deps: TokenUsesDeps;
  /** By the token's id, the least recently used first. */
  readonly #uses = new Map<string, string>();
  #savedAtMs = 0;

  constructor(deps: TokenUsesDeps) {
    this.#deps = deps;
  }

  /** Reads the uses of the daemons before this one. A damaged file is set aside. */
  async load(): Promise<void> {
    const { file, log } = this.#deps;
    const stored = (await readPastRecords(file, TokenUsesFile, log))?.uses ?? {};
    const sorted = Object.entries(stored).sort(([, a], [, b]) => a.localeCompare(b));
    for (const [id, at] of sorted) if (!this.#uses.has(id)) this.#uses.set(id, at);
  }

  /** Notes a use now. */
  note(id: string): void {
    const now = this.#deps.now();
    this.#uses.delete(id);
    this.#uses.set(id, now.toISOString());
    const sinceMs = now.getTime() - this.#savedAtMs;
    if (sinceMs > SAVE_EVERY_MS || sinceMs < 0) void this.#save(now);
  }

  /** @returns an ISO time; null: no use is known */
  lastUse(id: string): string | null {
    return this.#uses.get(id) ?? null;
  }

  async #save(now: Date): Promise<void> {
    this.#savedAtMs = now.getTime();
    const uses = Object.fromEntries([...this.#uses].slice(-MAX_USES));
    await writeJsonFile(this.#deps.file, { uses }).catch((error: Error) =>
      this.#deps.log.warn(`the uses of tokens cannot be saved: ${error.message}`),
    );
  }
}
