import { useCallback, useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { hrefOfInstall } from '../apps/install-address.ts';
import { type Shortcut, useShortcuts } from '../shortcuts/shortcuts.ts';

/** A dialog that every page can open; the last one asks whether to remove an app. */
export type Overlay = 'palette' | 'shortcuts' | 'notifications' | { readonly removes: InstalledApp };

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
  return { overlay, open: setOverlay };
}

/** @returns whether the page has a search */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main search input');
  field?.select();
  field?.focus();
  return field !== null;
}
