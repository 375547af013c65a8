import { Component, type ReactNode, startTransition, useContext, useEffect, useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { Readme as ReadmeText } from '../../../daemon/contract/apps/readme.ts';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { isStale } from '../../slices/daemon/connection-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import type { Markdown } from './Markdown.tsx';
import { installedPlace, type ReadmePlace } from './readme-links.ts';
import { ReadmeParserContext } from './readme-parser.ts';
import { noReadmeText, plainReadmeText, readmeCutText } from './readme-text.ts';
import type { TreeNode } from './readme-tree.ts';
import './readme.css';

interface ReadmeProps {
  readonly readme: ReadmeText;
  readonly place: ReadmePlace;
}

/**
 * The README of an app, as Markdown; as plain text if it cannot be parsed in time, or if the daemon does not send the
 * parser.
 */
export function Readme({ readme: { markdown, truncated }, place }: ReadmeProps) {
  if (markdown === '') return <p className="muted">{noReadmeText}</p>;
  return (
    <>
      <PlainIfBroken key={markdown} plain={<Plain markdown={markdown} />}>
        <Formatted markdown={markdown} place={place} />
      </PlainIfBroken>
      {truncated && <p className="muted small">{readmeCutText}</p>}
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
      <p className="muted small">{plainReadmeText}</p>
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

interface Formatted {
  readonly markdown: string;
  readonly tree: TreeNode;
  readonly Markdown: typeof Markdown;
}

/**
 * Parses a README, and loads the component that shows it; after a failure, again with each reconnect. The component has
 * its styles from here: a second attempt would not load them.
 * @returns 'loading', which may take a moment; null: it cannot be parsed in time, or the daemon does not send the parser
 */
function useFormatted(markdown: string): Formatted | 'loading' | null {
  const parse = useContext(ReadmeParserContext);
  const snapshots = useDashboard((s) => s.snapshots);
  const stale = useDashboard(isStale);
  const [formatted, setFormatted] = useState<Formatted | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const shown = formatted?.markdown === markdown ? formatted : null;
  const isShown = shown !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `snapshots` tries again
  useEffect(() => {
    if (isShown) return;
    const ending = new AbortController();
    Promise.all([import('./Markdown.tsx'), parse(markdown, ending.signal)]).then(
      // A transition: thousands of elements are rendered in pieces, between the user's input.
      ([module, tree]) => startTransition(() => setFormatted({ markdown, tree, Markdown: module.Markdown })),
      () => setFailed(markdown),
    );
    return () => ending.abort();
  }, [parse, markdown, snapshots]);
  if (shown) return shown;
  return failed === markdown || stale ? null : 'loading';
}

/** The README of an installed app, on a tab of its own. */
export function AppReadme({ app }: { readonly app: InstalledApp }) {
  const asked = useAsked<ReadmeText>(['app-readme', app.name, app.installedAt], (call, signal) =>
    call('getAppReadme', { params: { appName: app.name }, signal }),
  );
  return (
    <section className="card stack" aria-labelledby="app-readme">
      {/* The tab says it to those who see it. */}
      <h2 className="visually-hidden" id="app-readme">
        Read me
      </h2>
      <LoadedPart of={asked} failure="The README could not be loaded" rows={4}>
        {(readme) => <Readme readme={readme} place={installedPlace(app.name, app.source)} />}
      </LoadedPart>
    </section>
  );
}
