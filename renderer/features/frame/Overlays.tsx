import { useCallback, useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RemoveAppDialog } from '../app-menu/RemoveAppDialog.tsx';
import { NotificationsDialog } from '../notifications/NotificationsDialog.tsx';
import { Palette } from '../palette/Palette.tsx';
import { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx';
import type { Overlay } from './use-overlays.ts';

interface OverlaysProps {
  readonly open: Overlay | null;
  readonly onClose: () => void;
  /** Opens the notifications. */
  readonly onNotifications: () => void;
}

/** The dialogs that every page can open. They are loaded with the first page: they must open without the daemon, too. */
export function Overlays({ open, onClose, onNotifications }: OverlaysProps) {
  const [removing, setRemoving] = useState<InstalledApp | null>(null);
  const isInstalled = useDashboard((s) => s.installedApps.some(({ name }) => name === removing?.name));
  const askToRemove = useCallback((app: InstalledApp) => setRemoving(app), []);
  return (
    <>
      {open === 'palette' && <Palette onClose={onClose} onRemove={askToRemove} onNotifications={onNotifications} />}
      {open === 'notifications' && <NotificationsDialog onClose={onClose} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={onClose} />}
      {removing && isInstalled && <RemoveAppDialog app={removing} opened onClose={() => setRemoving(null)} />}
    </>
  );
}
