import { CloseButton, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchIcon } from '../icons.tsx';
import './search-bar.css';

interface SearchBarProps {
  /** What is searched, for screen readers and in the empty field. */
  readonly label: string;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onClear: () => void;
  /** What stands beside the field. */
  readonly children?: ReactNode;
}

/** What is searched for, and beside it what comes first. */
export function SearchBar({ label, text, onType, onClear, children }: SearchBarProps) {
  return (
    <search className="search-bar">
      <TextInput
        className="search-field"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        leftSection={<SearchIcon size={16} />}
        rightSection={text && <CloseButton size="sm" aria-label="Clear the search" onClick={onClear} />}
        autoComplete="off"
        spellCheck={false}
      />
      {children}
    </search>
  );
}
