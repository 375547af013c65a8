import type { CallArguments, CallName, DaemonClient } from '../../daemon/client/calls.ts';
import { type CommandWords, commandFor } from '../../daemon/client/command-words.ts';
import { copiedCommand, copiedRequest } from '../../daemon/client/copied-text.ts';
import { type DaemonRequest, type LooseInput, requestOf } from '../../daemon/client/daemon-request.ts';
import { useDashboard } from '../store/use-dashboard.ts';
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

/** Makes the items of a menu that copy actions. With a title in each, where there are several. */
export function useCopyItems(): (actions: readonly CopiedAction[]) => MenuAction[] {
  const terminal = useDashboard((s) => s.daemon?.terminal);
  const addresses = useDashboard((s) => s.addresses);
  return (actions) =>
    actions.flatMap(({ title, command, request }) => {
      const what = actions.length === 1 ? '' : ` “${title}”`;
      const line = terminal && command && copiedCommand(terminal, command);
      return [
        ...(line ? [{ title: `Copy${what} as command`, act: { copies: line } }] : []),
        ...(request
          ? [
              {
                title: `Copy${what} as request`,
                act: { copies: copiedRequest(window.location.origin, request(addresses)) },
              },
            ]
          : []),
      ];
    });
}

/** The same as one item of another menu. Empty: there is nothing to copy. */
export function useCopyItem(): (actions: readonly CopiedAction[]) => MenuAction[] {
  const itemsOf = useCopyItems();
  const hasCommands = useDashboard((s) => s.daemon?.terminal !== undefined);
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
