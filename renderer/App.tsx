import { Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { COMPARE_TAB } from './features/compare/compare-address.ts';
import { Announcer } from './features/frame/Announcer.tsx';
import { ConnectionBanner } from './features/frame/ConnectionBanner.tsx';
import { Rail } from './features/frame/Rail.tsx';
import { StatusBar } from './features/frame/StatusBar.tsx';
import { StorageNotice } from './features/frame/StorageNotice.tsx';
import { useOverlays } from './features/frame/use-overlays.ts';
import { WaitingNote } from './features/frame/WaitingNote.tsx';
import { HomePage } from './features/home/HomePage.tsx';
import { closeDialogOnBack } from './navigation/back-closes-dialog.ts';
import { type Route, useRoute } from './navigation/route.ts';
import { ScrollMemory } from './navigation/scroll-memory.ts';
import { loadTheRest, overlays, pages, signInForm } from './pages.ts';
import { keepFocus } from './parts/focus/focus-keeper.ts';
import { focusPage } from './parts/focus/focus-page.ts';
import { ignoreHeldKeys } from './parts/focus/held-keys.ts';
import { PageBoundary } from './parts/on-demand/PageBoundary.tsx';
import { PageLoading, PageSkeleton } from './parts/on-demand/PageLoading.tsx';
import { isStale } from './slices/daemon/connection-slice.ts';
import { useDashboard } from './store/use-dashboard.ts';
import './app.css';

export function App() {
  const route = useRoute();
  const known = useDashboard((s) => s.daemon !== null);
  const stale = useDashboard(isStale);
  const compared = route.tab === COMPARE_TAB ? route.tab : '';
  const item = route.appName ?? route.spaceId ?? route.ownAppId ?? route.modelId ?? route.endpointId ?? compared;
  const path = `${route.page}/${item}/${route.run ?? ''}`;
  const main = useFocusOnNavigation(path);
  useEffect(keepFocus, []);
  useEffect(closeDialogOnBack, []);
  useEffect(ignoreHeldKeys, []);
  useEffect(loadTheRest, []);
  const { overlay, open } = useOverlays();
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
            <PageBoundary key={route.page} path={path}>
              <Suspense fallback={<PageLoading />}>
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
        <ConnectionBanner signInForm={<signInForm.Page isLost />} />
        <Suspense>{overlay && <overlays.Page overlay={overlay} onOpen={open} />}</Suspense>
      </div>
      <StatusBar onSearch={() => open('palette')} onNotifications={() => open('notifications')} />
      <Announcer />
    </div>
  );
}

function CurrentPage({ route }: { readonly route: Route }) {
  const { page, appName, spaceId, tab, run } = route;
  switch (page) {
    case 'home':
      return <HomePage />;
    case 'robot':
      return <pages.robot.Page tab={tab} />;
    case 'apps':
      if (spaceId) return <pages.storeApp.Page key={spaceId} id={spaceId} />;
      if (route.ownAppId)
        return <pages.ownApp.Page key={route.ownAppId} id={route.ownAppId} tab={tab} query={route.query} />;
      if (appName === null) return <pages.apps.Page tab={tab} query={route.query} />;
      return <pages.app.Page key={appName} name={appName} tab={tab} run={run} query={route.query} />;
    case 'models':
      if (route.endpointId) return <pages.endpoint.Page key={route.endpointId} id={route.endpointId} tab={tab} />;
      return <pages.models.Page modelId={route.modelId} tab={tab} query={route.query} />;
    case 'activity':
      return <pages.activity.Page query={route.query} />;
    case 'settings':
      return <pages.settings.Page />;
    case 'help':
      return <pages.help.Page />;
  }
}

/** Scrolls a new page to its top, or back to where the user was, and focuses its heading, for screen readers. */
function useFocusOnNavigation(path: string) {
  const main = useRef<HTMLElement>(null);
  const memory = useRef<ScrollMemory>(null);
  const lastPath = useRef(path);
  useEffect(() => {
    if (!main.current) return;
    memory.current = new ScrollMemory(main.current);
    return memory.current.start();
  }, []);
  // In the tick of the change: afterwards, the focus would be kept near the control that is gone.
  useLayoutEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    focusPage();
    memory.current?.arrive();
  }, [path]);
  return main;
}
