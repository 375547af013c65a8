import { Switch } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SearchField } from '../../parts/forms/TypedSearch.tsx';
import { errorLinesHelp } from './output-text.ts';

export interface LineFilter {
  readonly text: string;
  readonly errors: boolean;
}

export const noFilter: LineFilter = { text: '', errors: false };
export const isFiltered = ({ text, errors }: LineFilter): boolean => text.trim() !== '' || errors;

/** The filter for a request of the daemon. */
export const filterQuery = ({ text, errors }: LineFilter): { readonly text?: string; readonly errors?: boolean } => ({
  ...(text.trim() && { text: text.trim() }),
  ...(errors && { errors }),
});

/** The daemon's limit. */
const MAX_TEXT = 200;

interface OutputFilterProps {
  readonly filter: LineFilter;
  readonly onChange: (filter: LineFilter) => void;
  /** A sentence that says which lines count as errors. */
  readonly errorsTitle?: string;
}

/** Searches the output of a run, and shows only its errors. */
export function OutputFilter({ filter, onChange, errorsTitle = errorLinesHelp }: OutputFilterProps) {
  const { text } = filter;
  return (
    <search className="row output-filter">
      <SearchField
        small
        className="output-search"
        name="Search the output"
        maxLength={MAX_TEXT}
        value={text}
        onType={(typed) => onChange({ ...filter, text: typed })}
        onClear={() => onChange({ ...filter, text: '' })}
      />
      <Switch
        size="xs"
        label="Errors only"
        title={errorsTitle}
        checked={filter.errors}
        onChange={({ currentTarget }) => onChange({ ...filter, errors: currentTarget.checked })}
      />
    </search>
  );
}

const TYPING_MS = 250;

/** A typed text, once it has not changed for some time; without spaces around it. */
export function useTyped(text: string): string {
  const [late] = useDebouncedValue(text.trim(), TYPING_MS);
  return late;
}
