import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Dashboard, DashboardStore } from './dashboard-store.ts';

export const DashboardContext = createContext<DashboardStore | null>(null);

/** For what is read only as something happens, such as a command: `useDashboard` listens, and lists have hundreds of cards. */
export function useDashboardStore(): DashboardStore {
  const store = useContext(DashboardContext);
  if (!store) throw new Error('The dashboard needs a DashboardContext above it');
  return store;
}

/** Select one narrow value with a stable identity, or the component renders 20 times a second. */
export function useDashboard<T>(select: (dashboard: Dashboard) => T): T {
  return useStore(useDashboardStore(), select);
}
