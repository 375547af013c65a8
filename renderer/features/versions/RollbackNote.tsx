import type { ReactNode } from 'react';
import type { InstalledApp, Rollback } from '../../../daemon/contract/apps/apps.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { versionText } from './version-text.ts';

interface RollbackNoteProps {
  readonly app: InstalledApp;
  readonly rollback: Rollback;
  readonly actions?: ReactNode;
  readonly onDismiss?: () => void;
}

/** Shows from and to which version an app returned, when and why. */
export function RollbackNote({
  app,
  rollback: { from, at, automatic, reason },
  actions,
  onDismiss,
}: RollbackNoteProps) {
  const title = useDashboard((s) => titleOf(s, app.name));
  const versions = `from ${versionText(from, app)} to ${versionText(app, from)}`;
  return (
    <Note
      tone={automatic ? 'busy' : 'idle'}
      title={automatic ? `${title} was rolled back ${versions} automatically.` : `You returned ${title} ${versions}.`}
      actions={actions}
      {...(onDismiss && { dismiss: { name: 'Dismiss this message', onDismiss } })}
    >
      <p>
        {reason}{' '}
        <span className="muted">
          <TimeAgo at={at} />
        </span>
      </p>
    </Note>
  );
}
