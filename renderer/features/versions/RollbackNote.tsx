import type { ReactNode } from 'react';
import type { InstalledApp, Rollback } from '../../../daemon/contract/apps/apps.ts';
import { ActionButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { stopFirstText, versionText } from './version-text.ts';

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

/** Returns to the earlier version at once. Disabled while the app runs. */
export function ReturnButton({ app: { name, previous, ...app } }: { readonly app: InstalledApp }) {
  const title = useDashboard((s) => titleOf(s, name));
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const { blocked } = useCommand(`app ${name}`);
  const sent = useDashboard(isPending(`app ${name}`, 'rollBack'));
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  if (!previous) return null;
  const to = versionText(previous, app);
  return (
    <ActionButton
      variant="default"
      size="compact-sm"
      disabled={blocked || running}
      loading={sent}
      title={running ? stopFirstText : undefined}
      onClick={() => void sendAppCommand(name, 'rollBack')}
      copies={callAction('Return', 'rollBackApp', { params: { appName: name } })}
      aria-label={`Return to ${to}: ${title}`}
    >
      Return to {to}
    </ActionButton>
  );
}
