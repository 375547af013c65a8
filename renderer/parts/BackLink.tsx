import type { MouseEvent, ReactNode } from 'react';
import { currentEntry } from '../navigation/history-entry.ts';
import { parseRoute } from '../navigation/route.ts';
import { BackIcon } from './icons.tsx';

interface BackLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** Leads from an item back to its list; to the same place in it, if the user came from there. */
export function BackLink({ href, children }: BackLinkProps) {
  function onClick(event: MouseEvent): void {
    const entry = currentEntry();
    if (event.ctrlKey || event.metaKey || event.shiftKey || !entry?.from || !isSameList(entry.from, href)) return;
    event.preventDefault();
    window.history.go(-entry.steps);
  }
  return (
    <a className="app-back" href={href} onClick={onClick}>
      <BackIcon size={16} /> {children}
    </a>
  );
}

function isSameList(from: string, href: string): boolean {
  const [a, b] = [parseRoute(from), parseRoute(href)];
  const isList = [a.appName, a.spaceId, a.ownAppId, a.modelId, a.endpointId].every((item) => item === null);
  return isList && a.page === b.page && a.tab === b.tab;
}
