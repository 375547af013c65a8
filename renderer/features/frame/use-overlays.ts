import { useCallback, useState } from 'react';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { hrefOfInstall } from '../install/InstallDialog.tsx';
import { type Shortcut, useShortcuts } from '../shortcuts/shortcuts.ts';

/** A dialog that every page can open. */
export type Overlay = 'palette' | 'shortcuts' | 'notifications';

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
  const close = useCallback(() => setOverlay(null), []);
  return { overlay, openPalette, openNotifications, close };
}

/** @returns whether the page has a search */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main search input');
  field?.select();
  field?.focus();
  return field !== null;
}
