import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppVariable } from '../../../daemon/contract/apps/apps.ts';
import type { SendCommand } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { SetState } from '../base/slice.ts';

export interface VariablesSlice {
  /** Environment variables by app name. No event reports changes. */
  readonly variables: Readonly<Record<string, Loaded<readonly AppVariable[]>>>;
  readonly loadVariables: (appName: string) => Promise<void>;
  /** @returns whether the daemon stored it */
  readonly setVariable: (
    appName: string,
    variable: { readonly name: string; readonly value: string; readonly secret: boolean },
  ) => Promise<boolean>;
  /** @returns whether the daemon removed it */
  readonly removeVariable: (appName: string, name: string) => Promise<boolean>;
}

export function createVariablesSlice(
  set: SetState<VariablesSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): VariablesSlice {
  /** Both calls return the new list. */
  async function change(appName: string, call: () => Promise<readonly AppVariable[]>): Promise<boolean> {
    const value = await send('variables', call, appName);
    if (value === null) return false;
    set(({ variables }) => ({ variables: { ...variables, [appName]: { state: 'loaded', value } } }));
    return true;
  }
  return {
    variables: {},
    loadVariables: (appName) =>
      load<readonly AppVariable[]>(
        () => daemon.call('listAppVariables', { params: { appName } }),
        (next) => set(({ variables }) => ({ variables: { ...variables, [appName]: next(variables[appName]) } })),
      ),
    setVariable: (appName, { name, value, secret }) =>
      change(appName, () =>
        daemon.call('setAppVariable', { params: { appName, variable: name }, body: { value, secret } }),
      ),
    removeVariable: (appName, name) =>
      change(appName, () => daemon.call('removeAppVariable', { params: { appName, variable: name } })),
  };
}
