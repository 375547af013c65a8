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
export type CommandPlace = CommandKind | `${CommandKind} ${string}`;

interface CommandState {
  /** Commands that were sent and not answered yet. */
  readonly pending: readonly string[];
  /** Set when the place's last command was refused, until it is dismissed or out of date. */
  readonly refusal: { readonly command: string; readonly error: DaemonError } | null;
}

export interface CommandsSlice {
  /** By place; without an entry, no command was ever sent there. */
  readonly commands: Readonly<Record<string, CommandState>>;
  readonly dismissRefusal: (place: CommandPlace) => void;
}

/**
 * Sends a command to the daemon and keeps track of it in the store. `command` tells the commands of one place apart.
 * Never rejects.
 * @returns the reply; null when the command was refused
 */
export type SendCommand = <T>(place: CommandPlace, call: () => Promise<T>, command?: string) => Promise<T | null>;

export function createCommandsSlice(set: SetState<CommandsSlice>): CommandsSlice {
  return { commands: {}, dismissRefusal: (place) => update(set, place, () => ({ refusal: null })) };
}

export function createSendCommand(set: SetState<CommandsSlice>): SendCommand {
  return async (place, call, command = '') => {
    const answered = ({ pending }: CommandState) => ({ pending: pending.filter((each) => each !== command) });
    update(set, place, ({ pending }) => ({ pending: [...pending, command], refusal: null }));
    try {
      const reply = await call();
      update(set, place, answered);
      return reply;
    } catch (error) {
      const refusal = { command, error: asDaemonError(error) };
      update(set, place, (state) => ({ ...answered(state), refusal }));
      return null;
    }
  };
}

/** For reducers: drops the refusals of these kinds, which an event has made out of date. */
export function withoutRefusals({ commands }: CommandsSlice, ...kinds: CommandKind[]): Pick<CommandsSlice, 'commands'> {
  const isOutdated = (place: string) => kinds.some((kind) => place === kind || place.startsWith(`${kind} `));
  const entries = Object.entries(commands).map(([place, state]) =>
    isOutdated(place) ? [place, { ...state, refusal: null }] : [place, state],
  );
  return { commands: Object.fromEntries(entries) };
}

/** Selects whether that command of the place, or any, is not answered yet. */
export const isPending =
  (place: CommandPlace, command?: string) =>
  ({ commands }: CommandsSlice): boolean => {
    const pending = commands[place]?.pending ?? [];
    return command === undefined ? pending.length > 0 : pending.includes(command);
  };

/** Selects why the place's last command was refused, if it was one of `of`; null: it was not refused. */
export const refusalOf =
  (place: CommandPlace, of?: readonly string[]) =>
  ({ commands }: CommandsSlice): DaemonError | null => {
    const refusal = commands[place]?.refusal;
    return refusal && (of?.includes(refusal.command) ?? true) ? refusal.error : null;
  };

const idle: CommandState = { pending: [], refusal: null };

function update(
  set: SetState<CommandsSlice>,
  place: CommandPlace,
  change: (state: CommandState) => Partial<CommandState>,
): void {
  set(({ commands }) => {
    const state = commands[place] ?? idle;
    return { commands: { ...commands, [place]: { ...state, ...change(state) } } };
  });
}
