import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { SmallButton } from '../../parts/SmallButton.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { versionText } from './version-text.ts';

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
    <SmallButton
      disabled={blocked || running}
      loading={sent}
      title={running ? 'Stop it first.' : undefined}
      onClick={() => void sendAppCommand(name, 'rollBack')}
      aria-label={`Return ${title} to ${to}`}
    >
      Return to {to}
    </SmallButton>
  );
}
