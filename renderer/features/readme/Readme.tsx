import { Component, lazy, type ReactNode, Suspense } from 'react';
import type { Readme as ReadmeText } from '../../../daemon/contract/apps/readme.ts';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import type { ReadmePlace } from './readme-place.ts';
import './readme.css';

/** Loaded with the first README. */
const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }));

interface ReadmeProps {
  readonly readme: ReadmeText;
  readonly place: ReadmePlace;
}

/** The README of an app, as Markdown; as plain text if it cannot be parsed. */
export function Readme({ readme: { markdown, truncated }, place }: ReadmeProps) {
  if (markdown === '') return <p className="muted">The author has not written one.</p>;
  const plain = (
    <div className="readme readme-plain" dir="auto">
      {markdown}
    </div>
  );
  return (
    <>
      <PlainIfBroken plain={plain}>
        <Suspense fallback={<Skeleton rows={4} />}>
          <div className="readme">
            <Markdown markdown={markdown} place={place} />
          </div>
        </Suspense>
      </PlainIfBroken>
      {truncated && <p className="muted small">The README goes on; this is its beginning.</p>}
    </>
  );
}

/** A README that the parser cannot take must not take the page with it. */
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
