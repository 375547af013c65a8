import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { SetState } from './slice.ts';

type CommandKind =
  | 'app'
  | 'cancel'
  | 'catalog'
  | 'deploy'
  | 'endpoint'
  | 'hub'
  | 'install'
  | 'robot'
  | 'session'
  | 'start'
  | 'startup'
  | 'stop'
  | 'store'
  | 'variables';

/** Where a command's state is kept: the kind, then the app, job or endpoint that it is about if there are several. */
export type CommandKey = CommandKind | `${CommandKind} ${string}`;

interface CommandState {
  /** Commands that were sent and not answered yet. */
  readonly pending: readonly string[];
  /** Set when the key's last command was refused, until it is dismissed or out of date. */
  readonly refusal: { readonly command: string; readonly error: DaemonError } | null;
}

export interface CommandsSlice {
  /** By key; without an entry, no command was ever sent there. */
  readonly commands: Readonly<Record<string, CommandState>>;
  readonly dismissRefusal: (key: CommandKey) => void;
}

/**
 * Sends a command to the daemon and keeps track of it in the store. `command` tells the commands of one key apart.
 * Never rejects.
 * @returns the reply; null when the command was refused
 */
export type SendCommand = <T>(key: CommandKey, call: () => Promise<T>, command?: string) => Promise<T | null>;

export function createCommandsSlice(set: SetState<CommandsSlice>): CommandsSlice {
  return { commands: {}, dismissRefusal: (key) => update(set, key, () => ({ refusal: null })) };
}

export function createSendCommand(set: SetState<CommandsSlice>): SendCommand {
  return async (key, call, command = '') => {
    const answered = ({ pending }: CommandState) => ({ pending: pending.filter((each) => each !== command) });
    update(set, key, ({ pending }) => ({ pending: [...pending, command], refusal: null }));
    try {
      const reply = await call();
      update(set, key, answered);
      return reply;
    } catch (error) {
      const refusal = { command, error: asDaemonError(error) };
      update(set, key, (state) => ({ ...answered(state), refusal }));
      return null;
    }
  };
}

/** For reducers: drops the refusals of these kinds, which an event has made out of date. */
export function withoutRefusals({ commands }: CommandsSlice, ...kinds: CommandKind[]): Pick<CommandsSlice, 'commands'> {
  const isOutdated = (key: string) => kinds.some((kind) => key === kind || key.startsWith(`${kind} `));
  const entries = Object.entries(commands).map(([key, state]) =>
    isOutdated(key) ? [key, { ...state, refusal: null }] : [key, state],
  );
  return { commands: Object.fromEntries(entries) };
}

/** Selects whether that command of the key, or any, is not answered yet. */
export const isPending =
  (key: CommandKey, command?: string) =>
  ({ commands }: CommandsSlice): boolean => {
    const pending = commands[key]?.pending ?? [];
    return command === undefined ? pending.length > 0 : pending.includes(command);
  };

/** Selects why the key's last command was refused, if it was one of `of`; null: it was not refused. */
export const refusalOf =
  (key: CommandKey, of?: readonly string[]) =>
  ({ commands }: CommandsSlice): DaemonError | null => {
    const refusal = commands[key]?.refusal;
    return refusal && (of?.includes(refusal.command) ?? true) ? refusal.error : null;
  };

const idle: CommandState = { pending: [], refusal: null };

function update(
  set: SetState<CommandsSlice>,
  key: CommandKey,
  change: (state: CommandState) => Partial<CommandState>,
): void {
  set(({ commands }) => {
    const state = commands[key] ?? idle;
    return { commands: { ...commands, [key]: { ...state, ...change(state) } } };
  });
}
