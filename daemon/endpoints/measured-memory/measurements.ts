import type { MeasuredMemory, MemoryMeasurement } from '../../catalog/selection/measured-memory.ts';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { MemoryRecord } from './memory-record.ts';

const none: readonly MemoryMeasurement[] = [];

/** The records of some time, looked up by recipe. */
export class Measurements implements MeasuredMemory {
  readonly #byRepository: ReadonlyMap<string, readonly MemoryRecord[]>;

  constructor(records: Iterable<MemoryRecord>) {
    this.#byRepository = Map.groupBy(records, ({ settings }) => settings.repository);
  }

  of(repoId: string, { accelerator, engineType, ggufFile, revision }: Recipe): readonly MemoryMeasurement[] {
    const records = this.#byRepository.get(repoId);
    if (!records || accelerator !== 'cpu') return none;
    return records.flatMap(({ settings, peakBytes, isProven }) => {
      const isOfRecipe =
        settings.others === null &&
        settings.engine === engineType &&
        settings.file === (ggufFile ?? null) &&
        settings.revision === (revision ?? null);
      return isOfRecipe ? [{ bytes: peakBytes, contextTokens: settings.contextTokens, isProven }] : [];
    });
  }
}
