import { lazy, Suspense, useCallback, useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RemoveAppDialog } from '../app-menu/RemoveAppDialog.tsx';
import type { Overlay } from './use-overlays.ts';

/** Loaded when first opened. */
const Palette = lazy(() => import('../palette/Palette.tsx'));
const ShortcutsDialog = lazy(() => import('../shortcuts/ShortcutsDialog.tsx'));

interface OverlaysProps {
  readonly open: Overlay | null;
  readonly onClose: () => void;
}

/** The dialogs that every page can open. */
export function Overlays({ open, onClose }: OverlaysProps) {
  const [removing, setRemoving] = useState<InstalledApp | null>(null);
  const isInstalled = useDashboard((s) => s.installedApps.some(({ name }) => name === removing?.name));
  const askToRemove = useCallback((app: InstalledApp) => setRemoving(app), []);
  return (
    <>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={onClose} onRemove={askToRemove} />}
        {open === 'shortcuts' && <ShortcutsDialog onClose={onClose} />}
      </Suspense>
      {removing && isInstalled && <RemoveAppDialog app={removing} opened onClose={() => setRemoving(null)} />}
    </>
  );
}
