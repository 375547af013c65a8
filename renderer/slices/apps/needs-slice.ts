import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { EndpointRef } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { CommandKey, CommandsSlice, SendCommand } from '../base/commands.ts';
import type { GetState } from '../base/slice.ts';
import { callSignedIn, type SessionSlice } from '../daemon/session-slice.ts';

export interface NeedsSlice {
  /**
   * Assigns an endpoint to a need of an app; null: none. An event reports the changed app.
   * @returns whether the daemon stored it
   */
  readonly assignEndpoint: (appName: string, need: string, endpoint: EndpointRef | null) => Promise<boolean>;
}

/** The key of assignments; the command is the need. */
export const needKey = (appName: string): CommandKey => `need ${appName}`;

export function createNeedsSlice(
  get: GetState<SessionSlice & CommandsSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): NeedsSlice {
  return {
    async assignEndpoint(appName, need, endpoint) {
      const input = { params: { appName, need }, body: { endpoint } };
      const call = () => callSignedIn(get, () => daemon.call('assignEndpoint', input));
      if ((await send(needKey(appName), call, need)) === null) return false;
      get().dismissRefusal(`start ${appName}`); // it may have been about this need
      return true;
    },
  };
}
