import type { Notice } from '../../../daemon/contract/notifications/notifications.ts';
import { type Asked, useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Asks for the list of the bell, newest first. */
export function useNotices(): Asked<readonly Notice[]> {
  const revision = useDashboard((s) => s.notifications?.revision ?? 0);
  return useAskedAfter(revision, ['notices'], async (call, signal) => (await call('listNotices', { signal })).notices);
}
