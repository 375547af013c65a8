import { Accelerator, EngineType } from '../../contract/catalog/catalog.ts';
import type { FacetCount, ModelFacets } from '../../contract/catalog/models.ts';
import { type CatalogFilter, type CatalogIndex, MISSES } from './catalog-index.ts';
import { kindsOf } from './recipe-kinds.ts';

/** A facet has no more values than a person looks through. */
const MOST_VALUES = 50;

export interface Survey {
  /** By position, 1 for what matches. */
  readonly matching: Uint8Array;
  readonly matches: number;
  readonly facets: ModelFacets;
}

/** What matches a filter, and how much would with each value of a facet in place of the one that the filter has. */
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
    // What an entry misses is left out of that facet alone.
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

/** Sorted by count, the greatest first, then by name. @param counts in the order of the values */
function mostFrequent(values: readonly string[], counts: Uint32Array): FacetCount[] {
  const least = Math.max(1, counts.toSorted().at(-MOST_VALUES) ?? 1); // so that few of many are sorted with their names
  const found: FacetCount[] = [];
  counts.forEach((count, code) => {
    if (count >= least) found.push({ value: values[code] ?? '', count });
  });
  return found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MOST_VALUES);
}
