import { useShallow } from 'zustand/react/shallow';
import { type CommandKey, isPending } from '../slices/base/commands.ts';
import { isConnected } from '../slices/daemon/connection-slice.ts';
import { useDashboard } from './use-dashboard.ts';

interface CommandProgress {
  /** The reply is awaited. */
  readonly pending: boolean;
  /** It cannot be sent: its reply is awaited, or the daemon does not answer. */
  readonly blocked: boolean;
}

/** Follows a command, or all commands of a key. */
export function useCommand(key: CommandKey, command?: string): CommandProgress {
  return useDashboard(
    useShallow((s) => {
      const pending = isPending(key, command)(s);
      return { pending, blocked: pending || !isConnected(s) };
    }),
  );
}
