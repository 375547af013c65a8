import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { lazy } from '../shared/async/lazy.ts';
import { Mutex } from '../shared/async/mutex.ts';
import { readStoredFile, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import { childMark } from '../shared/processes/child-environment.ts';

/** The record of containers in the data folder. */
export const StoredContainers = z.object({
  /** Distinguishes this data folder from one with the same path elsewhere that uses the same engine. */
  id: z.string(),
  /** The engines that may have containers of ours: the paths of their sockets, or their addresses. */
  engines: z.array(z.string()),
});
type StoredContainers = z.infer<typeof StoredContainers>;

interface ContainerRegisterDeps {
  readonly file: string;
  readonly dataDir: string;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * The containers of the daemons on a data folder. An engine is recorded before its first container is created, and until
 * the last one is known to be gone: after a crash the next daemon knows where to look, and it looks nowhere else.
 */
export class ContainerRegister {
  readonly #deps: ContainerRegisterDeps;
  readonly #writes = new Mutex();
  readonly #stored: () => Promise<StoredContainers>;
  /** The value of the label of our containers. */
  readonly identity: () => Promise<string>;
  /** The names of the containers that this daemon runs, by their engines. */
  readonly #held = new Map<string, Set<string>>();
  /** The engines that may have containers that nobody holds. */
  readonly #leftovers = new Set<string>();
  /** The number of containers that could not be removed so far. */
  #notRemoved = 0;
  #recorded: StoredContainers | null = null;

  constructor(deps: ContainerRegisterDeps) {
    this.#deps = deps;
    this.#stored = lazy(() => this.#read());
    this.identity = lazy(async () => `${await childMark(deps.dataDir)}.${(await this.#stored()).id}`);
  }

  /** The engines that may have containers that nobody holds: of an earlier daemon, or that could not be removed. */
  async leftovers(): Promise<readonly string[]> {
    await this.#stored();
    return [...this.#leftovers];
  }

  /** Whether this daemon runs a container of this name, or creates one. */
  holds(name: string): boolean {
    return [...this.#held.values()].some((names) => names.has(name));
  }

  /** Records a container before it is created. @throws StorageError; nothing is recorded then */
  async hold(engine: string, name: string): Promise<void> {
    const names = this.#held.get(engine) ?? new Set();
    this.#held.set(engine, names.add(name));
    await this.#save().catch((error: unknown) => {
      names.delete(name);
      throw error;
    });
  }

  /** @param isGone whether the container is known to be removed. Never rejects */
  async release(engine: string, name: string, isGone: boolean): Promise<void> {
    this.#held.get(engine)?.delete(name);
    if (!isGone) {
      this.#leftovers.add(engine);
      this.#notRemoved += 1;
    }
    await this.#trySave();
  }

  /** Forgets an engine's leftovers after their removal, unless another was added meanwhile. @throws what the removal throws */
  async clear<T>(engine: string, removal: () => Promise<T>): Promise<T> {
    const before = this.#notRemoved;
    const result = await removal();
    if (this.#notRemoved === before) this.#leftovers.delete(engine);
    await this.#trySave();
    return result;
  }

  async #read(): Promise<StoredContainers> {
    const { file, log } = this.#deps;
    const { value } = await readStoredFile(file, StoredContainers, log);
    this.#recorded = value;
    for (const engine of value?.engines ?? []) this.#leftovers.add(engine);
    return value ?? { id: randomUUID(), engines: [] };
  }

  /** Writes the record if it has changed. @throws StorageError */
  async #save(): Promise<void> {
    const { id } = await this.#stored();
    await this.#writes.run(async () => {
      const held = [...this.#held].filter(([, names]) => names.size > 0).map(([engine]) => engine);
      const engines = [...new Set([...held, ...this.#leftovers])].sort();
      const before = this.#recorded?.engines ?? [];
      if (engines.length === before.length && engines.every((engine) => before.includes(engine))) return;
      const next = { id, engines };
      await writeJsonFile(this.#deps.file, next);
      this.#recorded = next;
    });
  }

  /** A record that lists an engine too many costs the next daemon one question. */
  async #trySave(): Promise<void> {
    await this.#save().catch((error: unknown) => this.#deps.log.error('the record of containers is not saved', error));
  }
}
