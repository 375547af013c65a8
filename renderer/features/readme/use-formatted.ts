import { startTransition, useContext, useEffect, useState } from 'react';
import { isStale } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import type { TreeNode } from './foreign-tree.ts';
import type { Markdown } from './Markdown.tsx';
import { ReadmeParserContext } from './readme-parser.ts';
import './readme.css';

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
export function useFormatted(markdown: string): Formatted | 'loading' | null {
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
