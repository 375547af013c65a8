import { once } from 'node:events';
import { WebSocket } from 'ws';
import { SDK_PROTOCOL, type SdkReply, type SdkRequest } from '../../daemon/contract/robot/sdk.ts';
import { registerCleanup } from './cleanup.ts';

/** A client of the SDK's protocol in the bench's own process, which the daemon takes for a program started by hand. */
export interface RobotProgram extends AsyncDisposable {
  send(request: SdkRequest): void;
  /** @returns a function that unsubscribes */
  onReply(listener: (reply: SdkReply) => void): () => void;
}

export async function connectRobotProgram(daemonUrl: string, clientName: string): Promise<RobotProgram> {
  const socket = new WebSocket(`${daemonUrl.replace('http', 'ws')}/ws/sdk`, { perMessageDeflate: false });
  const end = registerCleanup(async () => socket.terminate());
  await once(socket, 'open');
  socket.on('error', () => {}); // the cleanup terminates the connection
  const send = (request: SdkRequest) => socket.send(JSON.stringify(request));
  const welcome = once(socket, 'message');
  send({ type: 'hello', protocol: SDK_PROTOCOL, sdkVersion: 'bench', runToken: null, clientName });
  await welcome;
  return {
    send,
    onReply: (listener) => {
      const hear = (data: Buffer) => listener(JSON.parse(data.toString()) as SdkReply);
      socket.on('message', hear);
      return () => void socket.off('message', hear);
    },
    ...end,
  };
}
