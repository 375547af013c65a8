import { CloseButton, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchIcon } from '../icons.tsx';
import './search-bar.css';

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
export function SearchBar({ label, text, onType, onClear, onEnter, children }: SearchBarProps) {
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
