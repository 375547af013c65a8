import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { SetState } from './slice.ts';

export type CommandKind =
  | 'app'
  | 'cancel'
  | 'catalog'
  | 'crash'
  | 'deploy'
  | 'desktop'
  | 'doctor'
  | 'download-cache'
  | 'endpoint'
  | 'endpoint-settings'
  | 'graphics-cards'
  | 'hub'
  | 'install'
  | 'mail'
  | 'model-file'
  | 'need'
  | 'notices'
  | 'own-app'
  | 'own-apps'
  | 'own-file'
  | 'own-run'
  | 'restart'
  | 'robot'
  | 'runtimes'
  | 'session'
  | 'start'
  | 'startup'
  | 'stop'
  | 'store'
  | 'tokens'
  | 'variables';

/** The key of a command's state: the kind, then the app, job or endpoint if there can be several. */
export type CommandKey = CommandKind | `${CommandKind} ${string}`;

/** A command that was sent and is not answered yet. */
interface PendingCommand {
  readonly id: number;
  readonly command: string;
  /** In ms of `performance`, which does not jump with the clock. */
  readonly sentAt: number;
}

interface CommandState {
  readonly pending: readonly PendingCommand[];
  /** Set when the last command was refused, until it is dismissed or out of date. */
  readonly refusal: { readonly command: string; readonly error: DaemonError } | null;
}

export interface CommandsSlice {
  /** By key. No entry: no command was sent yet. */
  readonly commands: Readonly<Record<string, CommandState>>;
  readonly send: SendCommand;
  readonly dismissRefusal: (key: CommandKey) => void;
}

/**
 * Sends a command to the daemon and tracks it in the store. `name` distinguishes commands of one key. Never rejects.
 * @returns the reply; null when the command was refused
 */
export type SendCommand = <T>(
  key: CommandKey,
  command: (call: DaemonClient['call']) => Promise<T>,
  name?: string,
) => Promise<T | null>;

export function createCommandsSlice(set: SetState<CommandsSlice>, call: DaemonClient['call']): CommandsSlice {
  let lastId = 0;
  return {
    commands: {},
    async send(key, command, name = '') {
      lastId += 1;
      const sent = { id: lastId, command: name, sentAt: performance.now() };
      const answered = ({ pending }: CommandState) => ({ pending: pending.filter(({ id }) => id !== sent.id) });
      update(set, key, ({ pending }) => ({ pending: [...pending, sent], refusal: null }));
      try {
        const reply = await command(call);
        update(set, key, answered);
        return reply;
      } catch (error) {
        const refusal = { command: name, error: asDaemonError(error) };
        update(set, key, (state) => ({ ...answered(state), refusal }));
        return null;
      }
    },
    dismissRefusal: (key) => update(set, key, () => ({ refusal: null })),
  };
}

/** For reducers: drops the refusals of these kinds, out of date after an event. */
export function withoutRefusals({ commands }: CommandsSlice, ...kinds: CommandKind[]): Pick<CommandsSlice, 'commands'> {
  const isOutdated = (key: string) => kinds.some((kind) => key === kind || key.startsWith(`${kind} `));
  const entries = Object.entries(commands).map(([key, state]) =>
    isOutdated(key) ? [key, { ...state, refusal: null }] : [key, state],
  );
  return { commands: Object.fromEntries(entries) };
}

/** For reducers: an event shows that the daemon obeys the commands of this key, before it answers them. */
export function withoutPending(slice: CommandsSlice, key: CommandKey): Partial<Pick<CommandsSlice, 'commands'>> {
  const { commands } = slice;
  const state = commands[key];
  return state && state.pending.length > 0 ? { commands: { ...commands, [key]: { ...state, pending: [] } } } : {};
}

/** A pending command, with its key. */
export interface Waiting extends PendingCommand {
  readonly key: CommandKey;
}

/** Every command that is not answered yet, oldest first. */
export function waitingCommands({ commands }: Pick<CommandsSlice, 'commands'>): Waiting[] {
  const waiting = Object.entries(commands).flatMap(([key, { pending }]) =>
    pending.map((each) => ({ ...each, key: key as CommandKey })),
  );
  return waiting.sort((a, b) => a.id - b.id);
}

/** Selects whether that command of the key, or any of its commands, is not answered yet. */
export const isPending =
  (key: CommandKey, command?: string) =>
  ({ commands }: CommandsSlice): boolean => {
    const pending = commands[key]?.pending ?? [];
    return pending.some((each) => command === undefined || each.command === command);
  };

/** Selects the refusal of the key's last command, if that is one of `only`; null if it was not refused. */
export const refusalOf =
  (key: CommandKey, only?: readonly string[]) =>
  ({ commands }: CommandsSlice): DaemonError | null => {
    const refusal = commands[key]?.refusal;
    return refusal && (only?.includes(refusal.command) ?? true) ? refusal.error : null;
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
