import { type ComponentType, lazy } from 'react';

/** The modules of all pages but Home: loaded when first opened, or when nothing else is to do. */
const modules = {
  activity: async () => (await import('./features/activity/ActivityPage.tsx')).ActivityPage,
  app: async () => (await import('./features/app/AppPage.tsx')).AppPage,
  apps: async () => (await import('./features/apps/AppsPage.tsx')).AppsPage,
  models: async () => (await import('./features/models/ModelsPage.tsx')).ModelsPage,
  robot: async () => (await import('./features/robot/RobotPage.tsx')).RobotPage,
  settings: async () => (await import('./features/settings/SettingsPage.tsx')).SettingsPage,
  storeApp: async () => (await import('./features/discover/StoreAppPage.tsx')).StoreAppPage,
};

export const ActivityPage = onDemand(modules.activity);
export const AppPage = onDemand(modules.app);
export const AppsPage = onDemand(modules.apps);
export const ModelsPage = onDemand(modules.models);
export const RobotPage = onDemand(modules.robot);
export const SettingsPage = onDemand(modules.settings);
export const StoreAppPage = onDemand(modules.storeApp);

/** Loads every page while the browser is idle, so that they open at once, also when the daemon no longer answers. */
export function loadPagesWhenIdle(): void {
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1_000)); // missing in Safari
  whenIdle(() => void Promise.allSettled(Object.values(modules).map((load) => load())));
}

function onDemand<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load() }));
}
