import { Component, type ReactNode } from 'react';
import type { Readme as ReadmeText } from '../../../daemon/contract/apps/readme.ts';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import type { ReadmePlace } from './readme-place.ts';
import { useFormatted } from './use-formatted.ts';

interface ReadmeProps {
  readonly readme: ReadmeText;
  readonly place: ReadmePlace;
}

/**
 * The README of an app, as Markdown; as plain text if it cannot be parsed in time, or if the daemon does not send the
 * parser.
 */
export function Readme({ readme: { markdown, truncated }, place }: ReadmeProps) {
  if (markdown === '') return <p className="muted">The author has not written one.</p>;
  return (
    <>
      <PlainIfBroken key={markdown} plain={<Plain markdown={markdown} />}>
        <Formatted markdown={markdown} place={place} />
      </PlainIfBroken>
      {truncated && <p className="muted small">The README goes on; this is its beginning.</p>}
    </>
  );
}

function Formatted({ markdown, place }: { readonly markdown: string; readonly place: ReadmePlace }) {
  const formatted = useFormatted(markdown);
  if (formatted === 'loading') return <Skeleton rows={4} />;
  if (!formatted) return <Plain markdown={markdown} />;
  return (
    <div className="readme">
      <formatted.Markdown tree={formatted.tree} place={place} />
    </div>
  );
}

function Plain({ markdown }: { readonly markdown: string }) {
  return (
    <div className="stack">
      <p className="muted small">This README is shown as plain text, since its formatting could not be read.</p>
      <div className="readme readme-plain" dir="auto">
        {markdown}
      </div>
    </div>
  );
}

/** A README that cannot be shown must not take the page with it. */
class PlainIfBroken extends Component<
  { readonly plain: ReactNode; readonly children: ReactNode },
  { broken: boolean }
> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? this.props.plain : this.props.children;
  }
}
