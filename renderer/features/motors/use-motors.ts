import { useEffect } from 'react';
import type { Motor } from '../../../daemon/contract/robot/robot.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

const POLL_INTERVAL_MS = 2_000;

/**
 * Loads the motors every 2 s, and at once when the robot's state changes, while a component uses this hook. A hidden
 * page has no connection, so it loads nothing.
 */
export function useMotors(): readonly Motor[] | null {
  const loadMotors = useDashboard((s) => s.loadMotors);
  const connected = useDashboard(isConnected);
  const changes = useDashboard(({ robot }) => `${robot?.state} ${robot?.torque}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `changes` reloads at once
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask(): Promise<void> {
      await loadMotors(leaving.signal);
      if (!leaving.signal.aborted) timer = setTimeout(ask, POLL_INTERVAL_MS);
    }
    void ask();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [connected, changes, loadMotors]);
  return useDashboard((s) => s.motors);
}
