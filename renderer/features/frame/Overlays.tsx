import { useEffect, useEffectEvent } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RemoveAppDialog } from '../app-card/RemoveAppDialog.tsx';
import { NotificationsDialog } from '../notifications/NotificationsDialog.tsx';
import { Palette } from '../palette/Palette.tsx';
import { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx';
import type { Overlay } from './use-overlays.ts';

export interface OverlaysProps {
  readonly overlay: Overlay;
  /** Opens another one, or none. */
  readonly onOpen: (overlay: Overlay | null) => void;
}

/** The dialogs that every page can open. */
export function Overlays({ overlay, onOpen }: OverlaysProps) {
  const close = () => onOpen(null);
  if (typeof overlay === 'object') return <Removal app={overlay.removes} onClose={close} />;
  switch (overlay) {
    case 'palette':
      return (
        <Palette
          onClose={close}
          onRemove={(removes) => onOpen({ removes })}
          onNotifications={() => onOpen('notifications')}
          onShortcuts={() => onOpen('shortcuts')}
        />
      );
    case 'notifications':
      return <NotificationsDialog onClose={close} />;
    case 'shortcuts':
      return <ShortcutsDialog onClose={close} />;
  }
}

function Removal({ app, onClose }: { readonly app: InstalledApp; readonly onClose: () => void }) {
  const isInstalled = useDashboard((s) => s.installedApps.some(({ name }) => name === app.name));
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isInstalled) close(); // else it would ask again about another app of that name
  }, [isInstalled]);
  return isInstalled && <RemoveAppDialog app={app} opened onClose={onClose} />;
}
