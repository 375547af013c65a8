import { counted } from '../format.ts';
import './list-count.css';

interface ListCountProps {
  /** The number on all pages; null: not known yet. */
  readonly matches: number | null;
  readonly noun: string;
  /** From 1. */
  readonly page?: number;
  readonly pages?: number;
}

const ID = 'list-count';

/** The number of items in a list, announced when it changes. Gets the focus when a control that changed the list is gone. */
export function ListCount({ matches, noun, page = 1, pages = 1 }: ListCountProps) {
  return (
    <p className="small list-count" id={ID} role="status" tabIndex={-1}>
      {matches !== null && counted(matches, noun)}
      {matches !== null && pages > 1 && <span className="muted">{`, page ${page} of ${pages.toLocaleString()}`}</span>}
    </p>
  );
}

/** Focuses the count of the shown list, without scrolling to it. */
export function focusListCount(): void {
  document.getElementById(ID)?.focus({ preventScroll: true });
}
