import { Component, type ReactNode } from 'react';
import { Note } from '../notes/Note.tsx';
import { PageHeader } from '../PageHeader.tsx';
import { failedPageText } from './on-demand-text.ts';
import { ReloadButton } from './PageNotLoaded.tsx';

interface PageBoundaryProps {
  /** The address of the page: another page is shown, though this one failed. */
  readonly path: string;
  readonly children: ReactNode;
}

interface Failure {
  readonly error: Error | null;
  readonly path: string;
}

/** Shows an error instead of a page that fails to render; the frame stays. */
export class PageBoundary extends Component<PageBoundaryProps, Failure> {
  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  static getDerivedStateFromProps({ path }: PageBoundaryProps, state: Failure): Failure | null {
    return path === state.path ? null : { error: null, path };
  }

  override state: Failure = { error: null, path: this.props.path };

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <>
        <PageHeader title="This page cannot be shown" />
        <Note
          tone="failed"
          urgent
          title={failedPageText}
          actions={<ReloadButton reload={() => window.location.reload()} />}
        >
          <p className="mono">{error.message}</p>
        </Note>
      </>
    );
  }
}
