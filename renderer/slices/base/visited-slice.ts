import type { SetState } from './slice.ts';

type ListName = 'discover' | 'models';

/** The last query of each list, as in its address: links lead back to it. */
export interface VisitedSlice {
  readonly visited: Readonly<Record<ListName, string>>;
  readonly rememberQuery: (list: ListName, query: string) => void;
}

export function createVisitedSlice(set: SetState<VisitedSlice>): VisitedSlice {
  return {
    visited: { discover: '', models: '' },
    rememberQuery: (list, query) => set(({ visited }) => ({ visited: { ...visited, [list]: query } })),
  };
}
