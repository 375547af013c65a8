import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';

/** Says which other apps declare the same settings port. */
export function PortNote({ app }: { readonly app: InstalledApp }) {
  const { name, settingsPage, sharesPortWith } = app;
  if (!settingsPage || sharesPortWith.length === 0) return null;
  const others = sharesPortWith.slice(0, -1);
  const all = [[name, ...others].join(', '), sharesPortWith.at(-1)].join(' and ');
  return (
    <p className="small">
      {all} {sharesPortWith.length === 1 ? 'both' : 'all'} use port {settingsPage.port}; only the running one's page
      opens.
    </p>
  );
}
