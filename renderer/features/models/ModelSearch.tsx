import { useEffect, useRef, useState } from 'react';
import { navigate, switchTab } from '../../navigation/route.ts';
import { SearchBar } from '../../parts/forms/SearchBar.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { hrefOfModels, type ModelQuery, modelQueryNow } from '../../slices/models/models-query.ts';
import { sorts } from './model-text.ts';

const TYPING_MS = 250;

/** The search field and the sort order. */
export function ModelSearch({ query }: { readonly query: ModelQuery }) {
  const [text, setText] = useState(query.search);
  const [urlSearch, setUrlSearch] = useState(query.search);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(typing.current), []);
  // The search in the address can change without typing: by the back button, or by Clear all.
  if (urlSearch !== query.search) {
    setUrlSearch(query.search);
    if (query.search !== text.trim()) setText(query.search);
  }
  /** Replaces the history entry: the back button should not stop at each pause in typing. */
  function search(next: string, waitMs: number): void {
    setText(next);
    clearTimeout(typing.current);
    typing.current = setTimeout(() => switchTab(hrefOfModels(modelQueryNow(), { search: next.trim() })), waitMs);
  }
  return (
    <SearchBar
      label="Search models"
      text={text}
      onType={(next) => search(next.slice(0, 200), TYPING_MS)}
      onClear={() => search('', 0)}
    >
      <Segments
        legend="Sort by"
        name="models-sort"
        choices={sorts}
        chosen={query.sort}
        onChoose={(sort) => navigate(hrefOfModels(query, { sort }))}
      />
    </SearchBar>
  );
}
