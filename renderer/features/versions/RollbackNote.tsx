import type { ReactNode } from 'react';
import type { InstalledApp, Rollback } from '../../../daemon/contract/apps/apps.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
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
  const versions = `from ${versionText(from, app)} to ${versionText(app, from)}`;
  return (
    <Note
      tone={automatic ? 'busy' : 'idle'}
      title={
        automatic ? `${app.title} was rolled back ${versions} automatically.` : `You returned ${app.title} ${versions}.`
      }
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
