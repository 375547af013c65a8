import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Note } from './notes/Note.tsx';
import { PageHeader } from './PageHeader.tsx';

interface PageBoundaryProps {
  readonly children: ReactNode;
}

/** Shows an error instead of a page that fails to render or to load; the frame stays. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly error: Error | null }> {
  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override state = { error: null };

  override render() {
    const { error } = this.state as { readonly error: Error | null };
    if (!error) return this.props.children;
    return (
      <>
        <PageHeader title="This page cannot be shown" />
        <Note
          tone="failed"
          urgent
          title="A part of the dashboard failed, or the daemon did not send it."
          actions={
            <Button variant="default" size="compact-sm" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
        >
          <p className="mono">{error.message}</p>
        </Note>
      </>
    );
  }
}
