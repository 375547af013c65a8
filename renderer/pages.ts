import { DialogNotLoaded, SignInNotLoaded } from './features/frame/PartNotLoaded.tsx';
import { CodeLoader, onDemand } from './parts/on-demand/on-demand.tsx';

const loader = new CodeLoader();
const reload = () => window.location.reload();

/** All pages but Home: loaded when first opened, or when nothing else is to do. */
export const pages = {
  activity: part('activity', async () => (await import('./features/activity/ActivityPage.tsx')).ActivityPage),
  app: part('app', async () => (await import('./features/app/AppPage.tsx')).AppPage),
  apps: part('apps', async () => (await import('./features/apps/AppsPage.tsx')).AppsPage),
  endpoint: part('endpoint', async () => (await import('./features/endpoint/EndpointPage.tsx')).EndpointPage),
  help: part('help', async () => (await import('./features/help/HelpPage.tsx')).HelpPage),
  models: part('models', async () => (await import('./features/models/ModelsPage.tsx')).ModelsPage),
  ownApp: part('own app', async () => (await import('./features/own-app/OwnAppPage.tsx')).OwnAppPage),
  robot: part('robot', async () => (await import('./features/robot/RobotPage.tsx')).RobotPage),
  settings: part('settings', async () => (await import('./features/settings/SettingsPage.tsx')).SettingsPage),
  storeApp: part('store app', async () => (await import('./features/apps/StoreAppPage.tsx')).StoreAppPage),
};

/** The dialogs that every page can open: loaded once the first page is painted. */
export const overlays = part(
  'dialogs',
  async () => (await import('./features/frame/Overlays.tsx')).Overlays,
  DialogNotLoaded,
);

/** For a browser that the daemon does not answer. */
export const signInForm = part(
  'sign-in',
  async () => (await import('./features/session/SignInForm.tsx')).SignInForm,
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

type Arguments<P extends object> = Parameters<typeof onDemand<P>>;

function part<P extends object>(name: string, load: Arguments<P>[1], NotLoaded?: Arguments<P>[4]) {
  return onDemand<P>(name, load, loader, reload, NotLoaded);
}
