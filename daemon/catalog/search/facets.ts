import { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import type { FacetCount, ModelFacets } from '../../contract/catalog/models.ts';
import { type CatalogFilter, type CatalogIndex, MISSES } from './catalog-filter.ts';
import { kindsOf } from './recipe-kinds.ts';

/** More values would be of no use to a person. */
const MAX_VALUES = 50;

export interface Survey {
  /** By position, 1 for a match. */
  readonly matching: Uint8Array;
  readonly matches: number;
  readonly facets: ModelFacets;
}

/** The matches of a filter, and for each facet value the number of matches if the filter had that value. */
export async function survey(index: CatalogIndex, filter: CatalogFilter, fitting: Uint8Array): Promise<Survey> {
  const { tasks, licenses, authors, kinds } = index;
  const matching = new Uint8Array(index.size);
  let matches = 0;
  const task = new Uint32Array(tasks.values.length);
  const license = new Uint32Array(licenses.values.length);
  const author = new Uint32Array(authors.values.length);
  const byKinds = new Map<number, number>();
  await index.walk(filter, { fitting, nearMisses: true }, (position, missed) => {
    if (missed === 0) {
      matching[position] = 1;
      matches += 1;
    }
    // An entry that misses one condition still counts in that condition's facet.
    if ((missed | MISSES.task) === MISSES.task) countOne(task, tasks.codes[position]);
    if ((missed | MISSES.license) === MISSES.license) countOne(license, licenses.codes[position]);
    if ((missed | MISSES.author) === MISSES.author) countOne(author, authors.codes[position]);
    if ((missed | MISSES.kind) === MISSES.kind) {
      const among = kinds[position] ?? 0;
      byKinds.set(among, (byKinds.get(among) ?? 0) + 1);
    }
    return true;
  });
  const withKind = (accelerator: Accelerator | undefined, engine: EngineType | undefined) =>
    [...byKinds].reduce((sum, [among, count]) => ((among & kindsOf(accelerator, engine)) === 0 ? sum : sum + count), 0);
  return {
    matching,
    matches,
    facets: {
      task: mostFrequent(tasks.values, task),
      license: mostFrequent(licenses.values, license),
      author: mostFrequent(authors.values, author),
      accelerator: mostFrequent(
        Accelerator.options,
        Uint32Array.from(Accelerator.options, (each) => withKind(each, filter.engine)),
      ),
      engine: mostFrequent(
        EngineType.options,
        Uint32Array.from(EngineType.options, (each) => withKind(filter.accelerator, each)),
      ),
    },
  };
}

function countOne(counts: Uint32Array, code: number | undefined): void {
  if (code !== undefined) counts[code] = (counts[code] ?? 0) + 1;
}

/** The values with the highest counts, then by name. @param counts by index of value */
function mostFrequent(values: readonly string[], counts: Uint32Array): FacetCount[] {
  const minCount = Math.max(1, counts.toSorted().at(-MAX_VALUES) ?? 1); // sorting a few values by name is cheap
  const found: FacetCount[] = [];
  counts.forEach((count, code) => {
    if (count >= minCount) found.push({ value: values[code] ?? '', count });
  });
  return found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MAX_VALUES);
}
