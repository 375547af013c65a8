import { Button } from '@mantine/core';
import { counted } from './format.ts';
import './paging.css';

interface PagingProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** The total over all pages. */
  readonly matches: number;
  /** The singular noun of an item. */
  readonly noun: string;
  readonly disabled: boolean;
  readonly onTurn: (page: number) => void;
}

export function Paging({ page, pages, matches, noun, disabled, onTurn }: PagingProps) {
  function turnTo(next: number): void {
    onTurn(next);
    document.querySelector('main')?.scrollTo({ top: 0 });
  }
  if (pages <= 1) return <p className="muted small">{counted(matches, noun)}</p>;
  return (
    <nav className="paging" aria-label={`Pages of ${noun}s`}>
      <Button variant="default" disabled={disabled || page <= 1} onClick={() => turnTo(page - 1)}>
        Previous
      </Button>
      <span className="small" role="status">
        Page {page} of {pages} <span className="muted">· {counted(matches, noun)}</span>
      </span>
      <Button variant="default" disabled={disabled || page >= pages} onClick={() => turnTo(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
