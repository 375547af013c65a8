import { once } from 'node:events';
import { WebSocket } from 'ws';
import { SDK_PROTOCOL, type SdkReply, type SdkRequest } from '../../daemon/contract/robot/sdk.ts';
import { undoable } from './undo.ts';

/** A program that somebody started by hand, in the bench's own process: it speaks what the SDK speaks. */
export interface RobotProgram extends AsyncDisposable {
  send(request: SdkRequest): void;
  onReply(listener: (reply: SdkReply) => void): void;
}

export async function connectRobotProgram(daemonUrl: string, clientName: string): Promise<RobotProgram> {
  const socket = new WebSocket(`${daemonUrl.replace('http', 'ws')}/ws/sdk`, { perMessageDeflate: false });
  const end = undoable(async () => socket.terminate());
  await once(socket, 'open');
  socket.on('error', () => {}); // it is cut off at the end
  const send = (request: SdkRequest) => socket.send(JSON.stringify(request));
  const welcome = once(socket, 'message');
  send({ type: 'hello', protocol: SDK_PROTOCOL, sdkVersion: 'bench', runToken: null, clientName });
  await welcome;
  return {
    send,
    onReply: (listener) =>
      socket.on('message', (data) => listener(JSON.parse((data as Buffer).toString()) as SdkReply)),
    ...end,
  };
}
