import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
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
  function onEnter(field: HTMLInputElement): void {
    clearTimeout(typing.current);
    if (text.trim() !== search) onSearch(text.trim());
    focusResults(field);
  }
  return (
    <search className="search-bar">
      <SearchField
        className="search-field"
        name={label}
        value={text}
        onType={(next) => searchFor(next.slice(0, MAX_LENGTH), TYPING_MS)}
        onClear={() => searchFor('', 0)}
        onKeyDown={({ key, currentTarget, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing) onEnter(currentTarget);
        }}
      />
      {children}
    </search>
  );
}

interface SearchFieldProps extends Omit<TextInputProps, 'name' | 'label' | 'size'> {
  /** The accessible name and placeholder. */
  readonly name: string;
  readonly onType: (text: string) => void;
  readonly onClear: () => void;
  readonly small?: boolean;
}

export function SearchField({ name, onType, onClear, small = false, ...props }: SearchFieldProps) {
  return (
    <TextInput
      size={small ? 'xs' : 'sm'}
      aria-label={name}
      placeholder={name}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      leftSection={<SearchIcon size={small ? 14 : 16} />}
      rightSection={
        props.value && <CloseButton size={small ? 'xs' : 'sm'} aria-label="Clear the search" onClick={onClear} />
      }
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  );
}
