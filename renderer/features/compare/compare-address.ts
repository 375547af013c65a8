import { hrefOf } from '../../navigation/route.ts';
import { comparedText, parseCompared } from '../../slices/models/compare-slice.ts';

/** The value of `?tab=` that shows a comparison. */
export const COMPARE_TAB = 'compare';

/** A comparison, as its address says it. */
interface Comparison {
  readonly keys: readonly string[];
  /** Whether what is the same for all is shown too. */
  readonly all: boolean;
}

export function parseComparison(query: string): Comparison {
  const params = new URLSearchParams(query);
  return { keys: parseCompared(params.get('compare') ?? ''), all: params.get('all') === 'true' };
}

export function hrefOfComparison({ keys, all }: Comparison): string {
  const query = new URLSearchParams({ compare: comparedText(keys), ...(all && { all: 'true' }) });
  return hrefOf('models', { tab: COMPARE_TAB, query: query.toString() });
}
