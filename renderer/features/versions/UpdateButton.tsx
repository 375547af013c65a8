import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { ActionButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isAbout, isActive } from '../activity/install-jobs.ts';
import { pinnedText, runningText } from './version-text.ts';

interface UpdateButtonProps {
  readonly app: InstalledApp;
  readonly compact?: boolean;
  /** `Install again` for a folder, which has no versions. */
  readonly label?: string;
}

/** Starts the update as a job. Disabled with a reason while the app runs. */
export function UpdateButton({ app, compact = false, label = 'Update' }: UpdateButtonProps) {
  const { name, pinned } = app;
  const title = useDashboard((s) => titleOf(s, name));
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const { blocked } = useCommand(`app ${name}`);
  const working = useDashboard((s) => s.jobs.some((job) => isActive(job) && isAbout(job, app)));
  const sent = useDashboard(isPending(`app ${name}`, 'update'));
  const running = useDashboard((s) => runOf(s.slot, name) !== null);
  return (
    <>
      {running && !pinned && <span className="muted small">{runningText(label)}</span>}
      <ActionButton
        variant="default"
        size={compact ? 'compact-sm' : 'sm'}
        disabled={blocked || pinned || running || working}
        loading={sent}
        title={pinned ? pinnedText : undefined}
        onClick={() => void sendAppCommand(name, 'update')}
        copies={callAction(label, 'updateApp', { params: { appName: name } })}
        aria-label={`${label} ${title}`}
      >
        {label}
      </ActionButton>
    </>
  );
}
