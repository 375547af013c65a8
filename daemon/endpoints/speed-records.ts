import * as z from 'zod';
import type { MeasuredSpeeds } from '../catalog/selection/best-order.ts';
import { MeasuredSpeed } from '../contract/catalog/models.ts';
import type { Clock } from '../shared/clock.ts';
import { KeptRecords, keptRecordsFile } from '../shared/files/kept-records.ts';
import type { Logger } from '../shared/logger.ts';
import type { EndpointParts } from './description/endpoint-parts.ts';
import { modelSettings } from './measured-memory/memory-settings.ts';

/** How the replicas of an endpoint serve. */
export interface Serving {
  /** The parts as they run: with the processor as accelerator where the graphics card cannot be used. */
  readonly parts: Pick<EndpointParts, 'model' | 'compute'>;
  /** The name of the program, with its version; null: unknown. */
  readonly program: string | null;
  /** The graphics card that they are on; null: none is known. */
  readonly card: string | null;
}

/** The last speed of a recipe of the catalog. */
const SpeedRecord = z.object({
  repository: z.string(),
  /** A commit or a branch; null: the latest. */
  revision: z.string().nullable(),
  engine: z.string(),
  /** The .gguf file; null: the engine finds the model's files. */
  file: z.string().nullable(),
  accelerator: z.string(),
  speed: MeasuredSpeed,
});
type SpeedRecord = z.infer<typeof SpeedRecord>;

/** The file of all records, the newest last. */
export const StoredSpeeds = keptRecordsFile(SpeedRecord);

/** About 150 KB. */
const MAX_RECORDS = 500;
/** A speed that differs by less says nothing new for this time. */
const NEWS_SHARE = 0.1;
const NEWS_MS = 60 * 60_000;

interface SpeedRecordsDeps {
  readonly file: string;
  readonly now: Clock['now'];
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** The last measured speed of each recipe, on the processor and on a graphics card: the newest 500. */
export class SpeedRecords {
  readonly #now: Clock['now'];
  readonly #records: KeptRecords<SpeedRecord>;
  #speeds = speedsOf([]);

  constructor({ file, now, log }: SpeedRecordsDeps) {
    this.#now = now;
    this.#records = new KeptRecords({
      ...{ file, log, schema: SpeedRecord, keyOf },
      ...{ most: MAX_RECORDS, subject: 'the speed of models' },
    });
  }

  /** Reads the file; a damaged one is set aside. */
  async load(): Promise<void> {
    await this.#records.load();
    this.#speeds = speedsOf(this.#records.all);
  }

  /** For the catalog: another object after each new speed. */
  get speeds(): MeasuredSpeeds {
    return this.#speeds;
  }

  /**
   * Notes the speed of an answer. Ignored with other settings than those of a deploy from the catalog.
   * @param serving null: it is not known which settings the replica had
   */
  note(serving: Serving | null, tokensPerSecond: number): void {
    if (serving === null) return;
    const { parts, program, card } = serving;
    const { repository, revision, engine, file, others } = modelSettings(parts.model);
    if (others !== null) return;
    const speed = { tokensPerSecond, measuredAt: this.#now().toISOString(), program, card };
    const record = { repository, revision, engine, file, accelerator: parts.compute.accelerator, speed };
    const known = this.#records.get(keyOf(record));
    if (known && !isNews(speed, known.speed)) return;
    this.#records.set(record);
    this.#speeds = speedsOf(this.#records.all);
  }

  /** Waits until everything is saved that can be. */
  async close(): Promise<void> {
    await this.#records.close();
  }
}

function isNews(speed: MeasuredSpeed, known: MeasuredSpeed): boolean {
  const ms = Date.parse(speed.measuredAt) - Date.parse(known.measuredAt);
  const change = Math.abs(speed.tokensPerSecond - known.tokensPerSecond);
  const isSameSetup = speed.program === known.program && speed.card === known.card;
  // A clock that was set back is no reason to keep a speed of the future.
  return !isSameSetup || ms < 0 || ms >= NEWS_MS || change > NEWS_SHARE * known.tokensPerSecond;
}

function keyOf({ repository, revision, engine, file, accelerator }: Omit<SpeedRecord, 'speed'>): string {
  return JSON.stringify([repository, revision, engine, file, accelerator]);
}

/** The speeds of some time, looked up by recipe. */
function speedsOf(records: readonly SpeedRecord[]): MeasuredSpeeds {
  const byKey = new Map(records.map((record) => [keyOf(record), record.speed]));
  return {
    of: (repository, { accelerator, engineType, ggufFile = null, revision = null }) =>
      byKey.get(keyOf({ repository, revision, engine: engineType, file: ggufFile, accelerator })),
  };
}
