import { CloseButton, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { focusResults } from '../focus/focus-results.ts';
import { SearchIcon } from '../icons.tsx';
import './search-bar.css';

const TYPING_MS = 250;
const MAX_LENGTH = 200;

interface TypedSearchProps {
  /** The accessible name and placeholder. */
  readonly label: string;
  /** The search in the address. */
  readonly search: string;
  /** Called after a pause in typing, with the trimmed text. It should replace the history entry. */
  readonly onSearch: (search: string) => void;
  /** Shown beside the field. */
  readonly children?: ReactNode;
}

/**
 * A search field whose text is in the address once the user pauses, and follows it. Enter searches at once and goes to the
 * first result, if the list has `data-results-of`.
 */
export function TypedSearch({ label, search, onSearch, children }: TypedSearchProps) {
  const [text, setText] = useState(search);
  const [urlSearch, setUrlSearch] = useState(search);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(typing.current), []);
  // The search in the address can change without typing: by the back button, or by Clear all.
  if (urlSearch !== search) {
    setUrlSearch(search);
    if (search !== text.trim()) setText(search);
  }
  function searchFor(next: string, waitMs: number): void {
    setText(next);
    clearTimeout(typing.current);
    typing.current = setTimeout(() => onSearch(next.trim()), waitMs);
  }
  return (
    <SearchBar
      label={label}
      text={text}
      onType={(next) => searchFor(next.slice(0, MAX_LENGTH), TYPING_MS)}
      onClear={() => searchFor('', 0)}
      onEnter={(field) => {
        clearTimeout(typing.current);
        if (text.trim() !== search) onSearch(text.trim());
        focusResults(field);
      }}
    >
      {children}
    </SearchBar>
  );
}

interface SearchBarProps {
  /** The accessible name and placeholder. */
  readonly label: string;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onClear: () => void;
  /** Called when the user presses Enter in the field. */
  readonly onEnter?: (field: HTMLInputElement) => void;
  /** Shown beside the field. */
  readonly children?: ReactNode;
}

/** A search field with Clear. */
function SearchBar({ label, text, onType, onClear, onEnter, children }: SearchBarProps) {
  return (
    <search className="search-bar">
      <TextInput
        className="search-field"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={({ key, currentTarget, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing) onEnter?.(currentTarget);
        }}
        leftSection={<SearchIcon size={16} />}
        rightSection={text && <CloseButton size="sm" aria-label="Clear the search" onClick={onClear} />}
        autoComplete="off"
        spellCheck={false}
      />
      {children}
    </search>
  );
}
