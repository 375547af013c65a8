import { useEffect, useRef } from 'react';
import { ActivityPage } from './features/activity/ActivityPage.tsx';
import { AppPage } from './features/apps/AppPage.tsx';
import { AppsPage } from './features/apps/AppsPage.tsx';
import { ConnectionBanner } from './features/connection/ConnectionBanner.tsx';
import { isLost } from './features/connection/connection-slice.ts';
import { Announcer } from './features/frame/Announcer.tsx';
import { PageSkeleton } from './features/frame/PageSkeleton.tsx';
import { Rail, railPages } from './features/frame/Rail.tsx';
import { StatusBar } from './features/frame/StatusBar.tsx';
import { HomePage } from './features/home/HomePage.tsx';
import { RobotPage } from './features/robot/RobotPage.tsx';
import { SettingsPage } from './features/settings/SettingsPage.tsx';
import { StoreAppPage } from './features/store/StoreAppPage.tsx';
import { hrefOf, navigate, type Route, useRoute } from './parts/route.ts';
import { useDashboard } from './store/use-dashboard.ts';
import './app.css';

export function App() {
  const route = useRoute();
  const known = useDashboard((s) => s.daemon !== null);
  const stale = useDashboard(isLost);
  const main = useFocusOnNavigation(`${route.page}/${route.appName ?? route.spaceId ?? ''}/${route.run ?? ''}`);
  usePageShortcuts();
  return (
    <div className="frame">
      <button type="button" className="skip-link" onClick={() => focusHeading(main.current)}>
        Skip to content
      </button>
      <Rail current={route.page} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a page may hold nothing else to tab to */}
      <main className={stale ? 'content stale' : 'content'} ref={main} tabIndex={0}>
        <div className="content-inner">{known ? <CurrentPage route={route} /> : <PageSkeleton />}</div>
      </main>
      <ConnectionBanner />
      <StatusBar />
      <Announcer />
    </div>
  );
}

function CurrentPage({ route: { page, appName, spaceId, tab, run } }: { readonly route: Route }) {
  switch (page) {
    case 'home':
      return <HomePage />;
    case 'robot':
      return <RobotPage tab={tab} />;
    case 'apps':
      if (spaceId) return <StoreAppPage key={spaceId} id={spaceId} />;
      return appName ? <AppPage key={appName} name={appName} tab={tab} run={run} /> : <AppsPage tab={tab} />;
    case 'activity':
      return <ActivityPage />;
    case 'settings':
      return <SettingsPage />;
  }
}

/** A new page begins at its top, for the eye and for a screen reader. */
function useFocusOnNavigation(place: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    if (main.current) main.current.scrollTop = 0;
    focusHeading(main.current);
  }, [place]);
  return main;
}

function focusHeading(main: HTMLElement | null): void {
  (main?.querySelector('h1') ?? main)?.focus();
}

function usePageShortcuts(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const target = railPages[Number(event.key) - 1];
      if (!target) return;
      event.preventDefault();
      navigate(hrefOf(target.page));
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
