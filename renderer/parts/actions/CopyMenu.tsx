import type { CallArguments, CallName, DaemonClient } from '../../../daemon/client/calls.ts';
import { type CommandWords, commandFor } from '../../../daemon/client/command-words.ts';
import { copiedCommand, copiedRequest } from '../../../daemon/client/copied-text.ts';
import { type DaemonRequest, type LooseInput, requestOf } from '../../../daemon/client/daemon-request.ts';
import type { TerminalCall } from '../../../daemon/contract/daemon.ts';
import type { Dashboard } from '../../store/dashboard-store.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ActionMenu } from './ActionMenu.tsx';
import type { MenuAction } from './MenuList.tsx';

/** The action of a button, as a command and as a request. */
export interface CopiedAction {
  /** The text of the button, "Start". */
  readonly title: string;
  /** null: there is no command for it. */
  readonly command: CommandWords | null;
  /** null: it is no request. @param addresses those of the operations */
  readonly request: ((addresses: Readonly<Record<CallName, string>>) => DaemonRequest) | null;
}

/** The action of a button that makes one call of the daemon. */
export function callAction<N extends CallName>(title: string, name: N, ...[input]: CallArguments<N>): CopiedAction {
  return actionOf(title, name, input ?? {});
}

function actionOf(title: string, name: CallName, input: object): CopiedAction {
  const request = (addresses: Readonly<Record<CallName, string>>) => requestOf(addresses[name], input as LooseInput);
  return { title, command: commandFor(name, input as never), request };
}

/** A command that makes one call of the daemon. */
export type OneCall = (call: DaemonClient['call']) => Promise<unknown>;

/** The action of a button whose command makes one call: that one, which the command makes here of a daemon that only notes it. */
export function commandAction(title: string, command: OneCall): CopiedAction {
  let noted = null as CopiedAction | null;
  const note: DaemonClient['call'] = (name, ...[input]) => {
    noted ??= actionOf(title, name, input ?? {});
    return new Promise<never>(() => {});
  };
  void command(note);
  if (!noted) throw new Error(`The command of “${title}” makes no call`);
  return noted;
}

/** How the daemon is called: in a terminal, unless it has none, and by addresses. */
interface DaemonCalls {
  readonly terminal: TerminalCall | undefined;
  readonly addresses: Dashboard['addresses'];
}
const terminalOf = ({ daemon }: Pick<Dashboard, 'daemon'>) => daemon?.terminal;

/** The items of a menu that copy actions. With a title in each, where there are several. */
function copyItems({ terminal, addresses }: DaemonCalls, actions: readonly CopiedAction[]): MenuAction[] {
  return actions.flatMap(({ title, command, request }) => {
    const what = actions.length === 1 ? '' : ` “${title}”`;
    const line = terminal && command && copiedCommand(terminal, command);
    const sent = request && copiedRequest(window.location.origin, request(addresses));
    return [
      ...(line ? [{ title: `Copy${what} as command`, act: { copies: line } }] : []),
      ...(sent ? [{ title: `Copy${what} as request`, act: { copies: sent } }] : []),
    ];
  });
}

/** Makes the items of a menu that copy actions. */
export function useCopyItems(): (actions: readonly CopiedAction[]) => MenuAction[] {
  const terminal = useDashboard(terminalOf);
  const addresses = useDashboard((s) => s.addresses);
  return (actions) => copyItems({ terminal, addresses }, actions);
}

/** Whether an action can be copied at all. */
export const canCopy = (dashboard: Dashboard, action: CopiedAction): boolean =>
  copyItems({ terminal: terminalOf(dashboard), addresses: dashboard.addresses }, [action]).length > 0;

/** The same as one item of another menu. Empty: there is nothing to copy. */
export function useCopyItem(): (actions: readonly CopiedAction[]) => MenuAction[] {
  const itemsOf = useCopyItems();
  const hasCommands = useDashboard(terminalOf) !== undefined;
  return (actions) => {
    const opens = itemsOf(actions);
    const title = hasCommands ? 'Copy as command or request' : 'Copy as request';
    return opens.length === 0 ? [] : [{ title, act: { opens } }];
  };
}

interface CopyMenuProps {
  /** The object of the actions, for a person: "dance" in "More for dance". */
  readonly of: string;
  readonly actions: readonly CopiedAction[];
  readonly compact?: boolean;
}

/** A small menu beside the buttons of actions, which copies them as commands and as requests. */
export function CopyMenu({ of, actions, compact = false }: CopyMenuProps) {
  const items = useCopyItems()(actions);
  return items.length > 0 && <ActionMenu name={`More for ${of}`} actions={items} compact={compact} />;
}
