import { useCallback, useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RemoveAppDialog } from '../app-card/RemoveAppDialog.tsx';
import { hrefOfInstall } from '../apps/InstallDialog.tsx';
import { NotificationsDialog } from '../notifications/NotificationsDialog.tsx';
import { Palette } from '../palette/Palette.tsx';
import { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx';
import type { Shortcut } from '../shortcuts/shortcuts.ts';
import { useShortcuts } from '../shortcuts/shortcuts.ts';

interface OverlaysProps {
  readonly open: Overlay | null;
  readonly onClose: () => void;
  /** Opens the notifications. */
  readonly onNotifications: () => void;
  /** Opens the list of shortcuts. */
  readonly onShortcuts: () => void;
}

/** The dialogs that every page can open. They are loaded with the first page: they must open without the daemon, too. */
export function Overlays({ open, onClose, onNotifications, onShortcuts }: OverlaysProps) {
  const [removing, setRemoving] = useState<InstalledApp | null>(null);
  const isInstalled = useDashboard((s) => s.installedApps.some(({ name }) => name === removing?.name));
  const askToRemove = useCallback((app: InstalledApp) => setRemoving(app), []);
  return (
    <>
      {open === 'palette' && (
        <Palette onClose={onClose} onRemove={askToRemove} onNotifications={onNotifications} onShortcuts={onShortcuts} />
      )}
      {open === 'notifications' && <NotificationsDialog onClose={onClose} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={onClose} />}
      {removing && isInstalled && <RemoveAppDialog app={removing} opened onClose={() => setRemoving(null)} />}
    </>
  );
}

type Overlay = 'palette' | 'shortcuts' | 'notifications';

/** Acts on the shortcuts. @returns the dialog that is open, and how to open one and close it */
export function useOverlays() {
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const stopApp = useDashboard((s) => s.stopApp);
  const appRuns = useDashboard(({ slot }) => slot.state !== 'free' && slot.holder.kind === 'managed-app');
  const act = useCallback(
    (shortcut: Shortcut): boolean => {
      switch (shortcut.does) {
        case 'open-page':
          navigate(hrefOf(shortcut.page));
          return true;
        case 'open-palette':
          setOverlay('palette');
          return true;
        case 'list-shortcuts':
          setOverlay('shortcuts');
          return true;
        case 'install':
          navigate(hrefOfInstall());
          return true;
        case 'stop-app':
          if (appRuns) void stopApp();
          return appRuns;
        case 'search':
          if (!focusSearch()) setOverlay('palette');
          return true;
      }
    },
    [stopApp, appRuns],
  );
  useShortcuts(act);
  const openPalette = useCallback(() => setOverlay('palette'), []);
  const openNotifications = useCallback(() => setOverlay('notifications'), []);
  const openShortcuts = useCallback(() => setOverlay('shortcuts'), []);
  const close = useCallback(() => setOverlay(null), []);
  return { overlay, openPalette, openNotifications, openShortcuts, close };
}

/** @returns whether the page has a search */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main search input');
  field?.select();
  field?.focus();
  return field !== null;
}
