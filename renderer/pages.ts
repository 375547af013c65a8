import { DialogNotLoaded, SignInNotLoaded } from './features/frame/PartNotLoaded.tsx';
import { CodeLoader, onDemand } from './parts/on-demand/on-demand.tsx';

const loader = new CodeLoader();
const reload = () => window.location.reload();

/** All pages but Home: loaded when first opened, or when nothing else is to do. */
export const pages = {
  activity: page('activity', async () => (await import('./features/activity/ActivityPage.tsx')).ActivityPage),
  app: page('app', async () => (await import('./features/app/AppPage.tsx')).AppPage),
  apps: page('apps', async () => (await import('./features/apps/AppsPage.tsx')).AppsPage),
  endpoint: page('endpoint', async () => (await import('./features/endpoint/EndpointPage.tsx')).EndpointPage),
  help: page('help', async () => (await import('./features/help/HelpPage.tsx')).HelpPage),
  models: page('models', async () => (await import('./features/models/ModelsPage.tsx')).ModelsPage),
  ownApp: page('own app', async () => (await import('./features/own-app/OwnAppPage.tsx')).OwnAppPage),
  robot: page('robot', async () => (await import('./features/robot/RobotPage.tsx')).RobotPage),
  settings: page('settings', async () => (await import('./features/settings/SettingsPage.tsx')).SettingsPage),
  storeApp: page('store app', async () => (await import('./features/apps/StoreAppPage.tsx')).StoreAppPage),
};

/** The dialogs that every page can open: loaded once the first page is painted. */
export const overlays = onDemand(
  'dialogs',
  async () => (await import('./features/frame/Overlays.tsx')).Overlays,
  loader,
  reload,
  DialogNotLoaded,
);

/** For a browser that the daemon does not answer. */
export const signInForm = onDemand(
  'sign-in',
  async () => (await import('./features/session/SignInForm.tsx')).SignInForm,
  loader,
  reload,
  SignInNotLoaded,
);

/** A busy browser is not waited for any longer: a page that is not loaded cannot open without the daemon. */
const LOAD_WITHIN = { timeout: 2_000 };

/** Loads the pages, the dialogs and the form to sign in. Resolves when each is loaded or has failed. */
export async function loadPages(): Promise<void> {
  await Promise.allSettled([overlays, signInForm, ...Object.values(pages)].map(({ preload }) => preload()));
}

/**
 * Loads the dialogs and the form to sign in once the first page is painted, and every page while the browser is idle, so that
 * they open at once, also when the daemon no longer answers.
 */
export function loadTheRest(): void {
  requestAnimationFrame(() => setTimeout(() => void loadDialogs()));
  const load = () => void loadPages();
  if ('requestIdleCallback' in window) window.requestIdleCallback(load, LOAD_WITHIN);
  else setTimeout(load, 1_000); // missing in Safari
}

async function loadDialogs(): Promise<void> {
  await Promise.allSettled([overlays.preload(), signInForm.preload()]);
  performance.mark('dialogs loaded'); // from now on they open at once
}

function page<P extends object>(name: string, load: Parameters<typeof onDemand<P>>[1]) {
  return onDemand<P>(name, load, loader, reload);
}
