import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Dashboard, DashboardStore } from './dashboard-store.ts';

export const DashboardContext = createContext<DashboardStore | null>(null);

/** Select one narrow value with a stable identity, or the component renders 20 times a second. */
export function useDashboard<T>(select: (dashboard: Dashboard) => T): T {
  const store = useContext(DashboardContext);
  if (!store) throw new Error('useDashboard needs a DashboardContext above it');
  return useStore(store, select);
}
