import { Component, type ReactNode, useEffect, useState } from 'react';
import type { Readme as ReadmeText } from '../../../daemon/contract/apps/readme.ts';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { isStale } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import type { Markdown as MarkdownComponent } from './Markdown.tsx';
import type { ReadmePlace } from './readme-place.ts';
import './readme.css';

interface ReadmeProps {
  readonly readme: ReadmeText;
  readonly place: ReadmePlace;
}

/** The README of an app, as Markdown; as plain text if it cannot be parsed, or if the daemon does not send the parser. */
export function Readme({ readme: { markdown, truncated }, place }: ReadmeProps) {
  const Markdown = useMarkdown();
  if (markdown === '') return <p className="muted">The author has not written one.</p>;
  const plain = (
    <div className="readme readme-plain" dir="auto">
      {markdown}
    </div>
  );
  return (
    <>
      {Markdown === 'loading' && <Skeleton rows={4} />}
      {Markdown === null && plain}
      {Markdown !== null && Markdown !== 'loading' && (
        <PlainIfBroken plain={plain}>
          <div className="readme">
            <Markdown markdown={markdown} place={place} />
          </div>
        </PlainIfBroken>
      )}
      {truncated && <p className="muted small">The README goes on; this is its beginning.</p>}
    </>
  );
}

type Loaded = typeof MarkdownComponent | 'loading' | null;

/**
 * Loads the component that shows Markdown, which is large; after a failure, again with each reconnect. It may have no styles
 * of its own: a second attempt would not load them.
 * @returns 'loading', which may take a moment; null: the daemon does not send it now
 */
function useMarkdown(): Loaded {
  const [loaded, setLoaded] = useState<Loaded>('loading');
  const snapshots = useDashboard((s) => s.snapshots);
  const stale = useDashboard(isStale);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `snapshots` loads again
  useEffect(() => {
    let shown = true;
    import('./Markdown.tsx').then(
      (module) => shown && setLoaded(() => module.Markdown),
      () => shown && setLoaded((known: Loaded) => (known === 'loading' ? null : known)),
    );
    return () => {
      shown = false;
    };
  }, [snapshots]);
  return loaded === 'loading' && stale ? null : loaded;
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
