import * as z from 'zod';
import type { MeasuredMemory } from '../../catalog/selection/measured-memory.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../contract/endpoints/endpoint-report.ts';
import { KeptRecords, keptRecordsFile } from '../../shared/files/kept-records.ts';
import type { Logger } from '../../shared/logger.ts';
import type { StoredEndpoint } from '../records/stored-endpoint.ts';
import { MemorySettings, memorySettings } from './memory-settings.ts';

/** The memory of one replica now. */
export interface ReplicaMemory {
  /** Resident. */
  readonly bytes: number;
  /** Of a container, files that another program read before are not counted. */
  readonly isContainer: boolean;
  /** Whether files that its programs have read may be counted: then it proves nothing. */
  readonly countsFiles: boolean;
  readonly state: ReplicaReport['state'];
  readonly slots: ReplicaReport['slots'];
}

/** The memory of the replicas of an endpoint now; of those that could be measured. */
export interface EndpointUse {
  readonly endpoint: EndpointRef;
  readonly replicas: readonly ReplicaMemory[];
}

/** The most memory that one replica with some settings has used. */
const MemoryRecord = z.object({
  settings: MemorySettings,
  peakBytes: z.int().min(0),
  /** See `MemoryMeasurement`. */
  isProven: z.boolean(),
});
type MemoryRecord = z.infer<typeof MemoryRecord>;

/** The file of all records, the newest last. */
export const StoredMemory = keptRecordsFile(MemoryRecord);

/** About 150 KB. */
const MAX_RECORDS = 500;
/** A peak that is higher by less says nothing new. */
const NEWS_SHARE = 0.01;
/** The answers after which a replica has used the memory of its work. */
const PROVEN_ANSWERS = 10;

interface MemoryRecordsDeps {
  readonly file: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** The most memory that replicas have used, by the settings that it depends on: the newest 500. */
export class MemoryRecords {
  readonly #records: KeptRecords<MemoryRecord>;
  #measurements = measurementsOf([]);

  constructor({ file, log }: MemoryRecordsDeps) {
    this.#records = new KeptRecords({
      ...{ file, log, schema: MemoryRecord, keyOf: ({ settings }) => keyOf(settings) },
      ...{ most: MAX_RECORDS, subject: 'the memory of models' },
    });
  }

  /** Reads the file; a damaged one is set aside. */
  async load(): Promise<void> {
    await this.#records.load();
    this.#measurements = measurementsOf(this.#records.all);
  }

  /** For the selection of recipes: another object after each new peak. */
  get measurements(): MeasuredMemory {
    return this.#measurements;
  }

  /** The most that a replica of such an endpoint has used, in bytes; null: not measured, or not on a CPU. */
  peakBytes(endpoint: Pick<StoredEndpoint, 'model' | 'compute'>, slots: number | null = null): number | null {
    const settings = memorySettings(endpoint, slots);
    return (settings && this.#records.get(keyOf(settings))?.peakBytes) ?? null;
  }

  /**
   * Notes the memory of an endpoint's ready replicas. Ignored unless it runs: in other states, and while they drain, they
   * may have other settings.
   * @param answers the requests that it has answered with these settings
   */
  note(endpoint: StoredEndpoint, replicas: readonly ReplicaMemory[], answers: number): void {
    const ready = replicas.filter(({ state, countsFiles }) => state === 'ready' && !countsFiles);
    const settings = memorySettings(endpoint, ready[0]?.slots ?? null);
    if (settings === null || endpoint.status.state !== 'running' || ready.length === 0) return;
    const known = this.#records.get(keyOf(settings));
    const bytes = Math.max(...ready.map((replica) => replica.bytes));
    const isHigher = bytes > (known?.peakBytes ?? 0) * (1 + NEWS_SHARE);
    const isWhole = !ready.some(({ isContainer }) => isContainer);
    const isProven = known?.isProven === true || (isWhole && answers >= PROVEN_ANSWERS);
    if (!isHigher && isProven === known?.isProven) return;
    this.#records.set({ settings, peakBytes: Math.max(bytes, known?.peakBytes ?? 0), isProven });
    this.#measurements = measurementsOf(this.#records.all);
  }

  /** Waits until everything is saved that can be. */
  async close(): Promise<void> {
    await this.#records.close();
  }
}

function keyOf({ repository, revision, engine, file, contextTokens, others }: MemorySettings): string {
  return JSON.stringify([repository, revision, engine, file, contextTokens, others]);
}

/** The records of some time, looked up by recipe. */
const measurementsOf = (records: readonly MemoryRecord[]): MeasuredMemory => ({
  of: (repoId, { accelerator, engineType, ggufFile = null, revision = null }) =>
    records
      .filter(
        ({ settings: { repository, engine, file, revision: ofRecord, others } }) =>
          accelerator === 'cpu' &&
          repository === repoId &&
          engine === engineType &&
          file === ggufFile &&
          ofRecord === revision &&
          others === null,
      )
      .map(({ settings, peakBytes, isProven }) => ({
        bytes: peakBytes,
        contextTokens: settings.contextTokens,
        isProven,
      })),
});
