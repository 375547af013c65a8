import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { ActivityPage } from './features/activity/ActivityPage.tsx';
import { AppPage } from './features/app/AppPage.tsx';
import { AppsPage } from './features/apps/AppsPage.tsx';
import { ConnectionBanner } from './features/connection/ConnectionBanner.tsx';
import { WaitingNote } from './features/connection/WaitingNote.tsx';
import { StoreAppPage } from './features/discover/StoreAppPage.tsx';
import { Announcer } from './features/frame/Announcer.tsx';
import { Overlays } from './features/frame/Overlays.tsx';
import { PageSkeleton } from './features/frame/PageSkeleton.tsx';
import { Rail } from './features/frame/Rail.tsx';
import { StatusBar } from './features/frame/StatusBar.tsx';
import { StorageNotice } from './features/frame/StorageNotice.tsx';
import { useOverlays } from './features/frame/use-overlays.ts';
import { HomePage } from './features/home/HomePage.tsx';
import { RobotPage } from './features/robot/RobotPage.tsx';
import { SettingsPage } from './features/settings/SettingsPage.tsx';
import { type Route, useRoute } from './navigation/route.ts';
import { keepFocus } from './parts/focus/focus-keeper.ts';
import { focusPage } from './parts/focus/focus-page.ts';
import { ignoreHeldKeys } from './parts/focus/held-keys.ts';
import { PageBoundary } from './parts/PageBoundary.tsx';
import { isStale } from './slices/daemon/connection-slice.ts';
import { useDashboard } from './store/use-dashboard.ts';
import './app.css';

/** Loaded when first opened, so that the other pages start sooner. */
const ModelsPage = lazy(async () => ({ default: (await import('./features/models/ModelsPage.tsx')).ModelsPage }));

export function App() {
  const route = useRoute();
  const known = useDashboard((s) => s.daemon !== null);
  const stale = useDashboard(isStale);
  const main = useFocusOnNavigation(
    `${route.page}/${route.appName ?? route.spaceId ?? route.modelId ?? ''}/${route.run ?? ''}`,
  );
  useEffect(keepFocus, []);
  useEffect(ignoreHeldKeys, []);
  const { overlay, openPalette, close } = useOverlays();
  return (
    <div className="frame">
      <button type="button" className="skip-link" onClick={focusPage}>
        Skip to content
      </button>
      <Rail current={route.page} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a page may hold nothing else to tab to */}
      <main className={stale ? 'content stale' : 'content'} ref={main} tabIndex={0}>
        <div className="content-inner">
          <StorageNotice />
          {known ? (
            <PageBoundary key={route.page}>
              <Suspense fallback={<PageSkeleton />}>
                <CurrentPage route={route} />
              </Suspense>
            </PageBoundary>
          ) : (
            <PageSkeleton />
          )}
        </div>
      </main>
      <div className="frame-notices">
        <WaitingNote />
        <ConnectionBanner />
      </div>
      <StatusBar onSearch={openPalette} />
      <Announcer />
      <Overlays open={overlay} onClose={close} />
    </div>
  );
}

function CurrentPage({ route }: { readonly route: Route }) {
  const { page, appName, spaceId, tab, run } = route;
  switch (page) {
    case 'home':
      return <HomePage />;
    case 'robot':
      return <RobotPage tab={tab} />;
    case 'apps':
      if (spaceId) return <StoreAppPage key={spaceId} id={spaceId} />;
      if (appName === null) return <AppsPage tab={tab} />;
      return <AppPage key={appName} name={appName} tab={tab} run={run} query={route.query} />;
    case 'models':
      return <ModelsPage modelId={route.modelId} tab={tab} query={route.query} />;
    case 'activity':
      return <ActivityPage />;
    case 'settings':
      return <SettingsPage />;
  }
}

/** Scrolls a new page to its top and focuses its heading, for screen readers. */
function useFocusOnNavigation(path: string) {
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(path);
  // In the tick of the change: afterwards, the focus would be kept near the control that is gone.
  useLayoutEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    if (main.current) main.current.scrollTop = 0;
    focusPage();
  }, [path]);
  return main;
}
