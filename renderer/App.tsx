import { Suspense, useEffect, useRef } from 'react';
import { ConnectionBanner } from './features/connection/ConnectionBanner.tsx';
import { Announcer } from './features/frame/Announcer.tsx';
import { keepFocus } from './features/frame/keep-focus.ts';
import { PageSkeleton } from './features/frame/PageSkeleton.tsx';
import { Rail, railPages } from './features/frame/Rail.tsx';
import { StatusBar } from './features/frame/StatusBar.tsx';
import { StorageNotice } from './features/frame/StorageNotice.tsx';
import { HomePage } from './features/home/HomePage.tsx';
import { hrefOf, navigate, type Route, useRoute } from './navigation/route.ts';
import { ScrollMemory } from './navigation/scroll-memory.ts';
import { ActivityPage, AppPage, AppsPage, ModelsPage, RobotPage, SettingsPage, StoreAppPage } from './pages.ts';
import { PageBoundary } from './parts/PageBoundary.tsx';
import { isLost } from './slices/daemon/connection-slice.ts';
import { useDashboard } from './store/use-dashboard.ts';
import './app.css';

export function App() {
  const route = useRoute();
  const known = useDashboard((s) => s.daemon !== null);
  const stale = useDashboard(isLost);
  const main = useFocusOnNavigation(
    `${route.page}/${route.appName ?? route.spaceId ?? route.modelId ?? ''}/${route.run ?? ''}`,
  );
  useEffect(keepFocus, []);
  usePageShortcuts();
  return (
    <div className="frame">
      <button type="button" className="skip-link" onClick={() => focusHeading(main.current)}>
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
      <ConnectionBanner />
      <StatusBar />
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
      return <RobotPage tab={tab} />;
    case 'apps':
      if (spaceId) return <StoreAppPage key={spaceId} id={spaceId} />;
      if (appName === null) return <AppsPage tab={tab} query={route.query} />;
      return <AppPage key={appName} name={appName} tab={tab} run={run} query={route.query} />;
    case 'models':
      return <ModelsPage modelId={route.modelId} tab={tab} query={route.query} />;
    case 'activity':
      return <ActivityPage query={route.query} />;
    case 'settings':
      return <SettingsPage />;
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
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    focusHeading(main.current);
    memory.current?.arrive();
  }, [path]);
  return main;
}

/** A page that is still loading has no heading: then `main` is focused, without a focus ring. */
function focusHeading(main: HTMLElement | null): void {
  const heading = main?.querySelector('h1');
  if (heading) heading.focus();
  else main?.focus({ focusVisible: false } satisfies QuietFocus as FocusOptions);
}

/** `focusVisible` is missing in TypeScript's `FocusOptions`. */
interface QuietFocus extends FocusOptions {
  readonly focusVisible: boolean;
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
