import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { MoveKind, type OwnMove } from '../contract/robot/moves.ts';
import { TargetAngle } from '../contract/robot/robot.ts';
import { MAX_MOVE_S, MAX_MOVE_SAMPLES } from '../contract/robot/sdk.ts';
import { lazy } from '../shared/async/lazy.ts';
import type { Logger } from '../shared/logger.ts';
import { MoveNotFound } from './errors.ts';
import { MalformedMove } from './motions/errors.ts';
import { MoveSamples } from './motions/move-samples.ts';
import type { RecordedMove } from './motions/recorded-move.ts';

const Row = z.array(z.number()).length(4);

/** The format of recorded moves: a time and a target for each sample. Other keys pass. */
const Stored = z.object({
  description: z.string().max(500).default(''),
  kind: MoveKind.default('emotion'),
  time: z.array(z.number().min(0).max(MAX_MOVE_S)).min(1).max(MAX_MOVE_SAMPLES),
  set_target_data: z
    .array(
      z.object({
        head: z.array(Row).length(4).nullish(),
        /** [right, left] */
        antennas: z.array(TargetAngle).length(2).nullish(),
        body_yaw: TargetAngle.nullish(),
      }),
    )
    .max(MAX_MOVE_SAMPLES),
});

/** Reads the text of a move's file. @throws MalformedMove, TargetUnreachable with the reason */
function parseMoveFile(text: string) {
  const { description, kind, time, set_target_data: targets } = parsed(text);
  if (targets.length !== time.length) throw new MalformedMove('A move needs as many targets as times.');
  const samples = new MoveSamples();
  samples.append({
    timesS: time,
    heads: ofAll(targets, ({ head }) => head?.flat()),
    antennas: ofAll(targets, ({ antennas }) => antennas),
    bodyYaws: ofAll(targets, ({ body_yaw: bodyYaw }) => bodyYaw),
  });
  return { description, kind, move: samples.finished() };
}

function parsed(text: string): z.infer<typeof Stored> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new MalformedMove('It is not JSON.');
  }
  const { success, data, error } = Stored.safeParse(json);
  if (success) return data;
  const [issue] = error.issues;
  throw new MalformedMove(`${issue?.path.join('.') || 'It'}: ${issue?.message ?? 'is no move'}`);
}

/** The part of each target; null if no target has it. Fewer than there are targets are refused later, by their number. */
function ofAll<Target, Value>(
  targets: readonly Target[],
  partOf: (target: Target) => Value | null | undefined,
): Value[] | null {
  const values = targets.map(partOf).filter((value) => value !== null && value !== undefined);
  return values.length === 0 ? null : values;
}

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
  readonly #moves = lazy(() => this.#load());

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
