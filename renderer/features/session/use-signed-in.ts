import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';

/** Asks the daemon whether this browser is signed in; null until it has answered. */
export function useSignedIn(): boolean | null {
  const loadSession = useDashboard((s) => s.loadSession);
  useWhenConnected(loadSession, '');
  return useDashboard(isSignedIn);
}
