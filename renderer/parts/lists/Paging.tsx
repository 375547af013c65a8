import { LinkButton } from '../actions/buttons.tsx';
import { counted } from '../format.ts';
import { EmptyState } from '../notes/EmptyState.tsx';
import { focusListCount } from './ListCount.tsx';
import './paging.css';

interface PagingProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly noun: string;
  readonly hrefOfPage: (page: number) => string;
}

/** Links to the pages of a list: the ones around the shown page, the first and the last. */
export function Paging({ page, pages, noun, hrefOfPage }: PagingProps) {
  if (pages <= 1) return null;
  return (
    <nav className="paging" aria-label={`Pages of ${noun}s`}>
      <Step to={page - 1} pages={pages} name="Previous page" hrefOfPage={hrefOfPage} text="‹ Previous" />
      <ol>
        {shownPages(page, pages).map((each, index, all) => (
          <li key={each} className={Math.abs(each - page) > 1 ? 'paging-far' : undefined}>
            {index > 0 && each - (all[index - 1] ?? 0) > 1 && (
              <span className="muted paging-gap" aria-hidden="true">
                …
              </span>
            )}
            <a
              className="paging-page"
              href={hrefOfPage(each)}
              aria-label={`Page ${each}`}
              aria-current={each === page ? 'page' : undefined}
              onClick={showStart}
            >
              {each.toLocaleString()}
            </a>
          </li>
        ))}
      </ol>
      <Step to={page + 1} pages={pages} name="Next page" hrefOfPage={hrefOfPage} text="Next ›" />
    </nav>
  );
}

interface StepProps extends Pick<PagingProps, 'pages' | 'hrefOfPage'> {
  readonly to: number;
  readonly name: string;
  readonly text: string;
}

/** Keeps its place at the ends, so that the numbers do not move. */
function Step({ to, pages, name, text, hrefOfPage }: StepProps) {
  if (to < 1 || to > pages) return <span className="paging-step paging-none">{text}</span>;
  return (
    <a className="paging-step" href={hrefOfPage(to)} aria-label={name} onClick={showStart}>
      {text}
    </a>
  );
}

/** A new page is read from its start, by mouse and by keyboard. */
function showStart({ ctrlKey, metaKey, shiftKey }: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }): void {
  if (ctrlKey || metaKey || shiftKey) return; // opens another window
  document.querySelector('main')?.scrollTo({ top: 0 });
  focusListCount();
}

/** The pages to link to from a page: the first, the last, and those up to two away; all if that leaves out just one. */
export function shownPages(page: number, pages: number): number[] {
  const wanted = new Set([1, pages]);
  for (let each = page - 2; each <= page + 2; each += 1) if (each >= 1 && each <= pages) wanted.add(each);
  const sorted = [...wanted].toSorted((a, b) => a - b);
  return sorted.flatMap((each, index) => (each - (sorted[index - 1] ?? each) === 2 ? [each - 1, each] : [each]));
}

interface NoSuchPageProps {
  /** From 1; beyond the last one. */
  readonly page: number;
  readonly pages: number;
  readonly hrefOfPage: (page: number) => string;
}

/** Shown instead of a list whose address names a page that it does not have, such as an old one. */
export function NoSuchPage({ page, pages, hrefOfPage }: NoSuchPageProps) {
  return (
    <EmptyState
      title={`There is no page ${page.toLocaleString()}`}
      action={
        <LinkButton size="sm" href={hrefOfPage(pages)}>
          Show the last page
        </LinkButton>
      }
    >
      The list has {counted(pages, 'page')} now.
    </EmptyState>
  );
}
