import { Button } from '@mantine/core';
import { counted } from './format.ts';
import { EmptyState } from './notes/EmptyState.tsx';

interface NoSuchPageProps {
  /** From 1; beyond the last one. */
  readonly page: number;
  readonly pages: number;
  readonly hrefOfPage: (page: number) => string;
}

/** In the place of a list whose address names a page that it does not have, such as an old one. */
export function NoSuchPage({ page, pages, hrefOfPage }: NoSuchPageProps) {
  return (
    <EmptyState
      title={`There is no page ${page.toLocaleString()}`}
      action={
        <Button component="a" href={hrefOfPage(pages)} variant="default">
          Show the last page
        </Button>
      }
    >
      The list has {counted(pages, 'page')} now.
    </EmptyState>
  );
}
