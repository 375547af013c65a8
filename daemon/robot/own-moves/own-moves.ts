import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnMove } from '../../contract/robot/moves.ts';
import type { Logger } from '../../shared/logger.ts';
import { MoveNotFound } from '../errors.ts';
import type { RecordedMove } from '../motions/recorded-move.ts';
import { parseMoveFile } from './move-file.ts';

/** Larger than 60,000 samples need at the digits that matter. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_FILES = 200;
/** The name of a file without `.json`; it is part of an address. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

interface LoadedMove {
  readonly about: OwnMove;
  readonly move: RecordedMove;
}

/** The robot's own set of recorded moves: the files of a folder, read once, when they are first asked for. */
export class OwnMoves {
  readonly #folder: string;
  readonly #log: Logger;
  #loading: Promise<ReadonlyMap<string, LoadedMove>> | null = null;

  constructor(deps: { folder: string; log: Logger }) {
    this.#folder = deps.folder;
    this.#log = deps.log;
  }

  /** The moves that can be played, emotions first, each kind by name. */
  async list(): Promise<OwnMove[]> {
    const moves = [...(await this.#moves()).values()].map(({ about }) => about);
    return [...moves.filter(({ kind }) => kind === 'emotion'), ...moves.filter(({ kind }) => kind === 'dance')];
  }

  /** @throws MoveNotFound */
  async get(name: string): Promise<RecordedMove> {
    const found = (await this.#moves()).get(name);
    if (!found) throw new MoveNotFound(name);
    return found.move;
  }

  #moves(): Promise<ReadonlyMap<string, LoadedMove>> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<ReadonlyMap<string, LoadedMove>> {
    const moves = new Map<string, LoadedMove>();
    for (const file of await this.#files()) {
      const name = file.slice(0, -'.json'.length);
      try {
        moves.set(name, await this.#read(file, name));
      } catch (error) {
        this.#log.warn(`moves: ${file} is left out: ${(error as Error).message}`);
      }
    }
    return moves;
  }

  async #files(): Promise<string[]> {
    try {
      const files = (await readdir(this.#folder)).filter((file) => file.endsWith('.json')).sort();
      if (files.length > MAX_FILES) this.#log.warn(`moves: only the first ${MAX_FILES} files are read`);
      return files.slice(0, MAX_FILES);
    } catch (error) {
      this.#log.warn(`moves: there are none: ${(error as Error).message}`);
      return [];
    }
  }

  async #read(file: string, name: string): Promise<LoadedMove> {
    if (!NAME.test(name)) throw new Error('its name has other characters than letters, digits, _ and -');
    const path = join(this.#folder, file);
    if ((await stat(path)).size > MAX_FILE_BYTES) throw new Error('it is too large');
    const { description, kind, move } = parseMoveFile(await readFile(path, 'utf8'));
    return { about: { name, kind, description, durationS: move.durationS }, move };
  }
}
