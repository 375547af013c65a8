import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { CommandCaller } from '../../robot/command-caller.ts';
import { connectionHolder } from '../../shared/processes/port-holder.ts';
import { looksFromHere } from './request-sources.ts';

/** The header of a program that proves by its run token that it belongs to the running app. Lower case, as Node reads it. */
const RUN_TOKEN_HEADER = 'x-robot-run-token';

/** The processes behind connections: many requests come over one. */
const holders = new WeakMap<Socket, number>();

/** The program behind a request: by the token in its header, or by the process that has its connection. */
export function commandCaller({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): CommandCaller {
  const token = headers[RUN_TOKEN_HEADER];
  return {
    runToken: typeof token === 'string' ? token : null,
    isOneOf: async (pids) => {
      if (!looksFromHere({ headers, socket })) return false;
      const known = holders.get(socket);
      if (known !== undefined) return pids.includes(known);
      const { localPort = 0, remotePort = 0 } = socket;
      const holder = await connectionHolder(pids, { localPort, remotePort });
      if (holder !== null) holders.set(socket, holder);
      return holder !== null;
    },
  };
}
