/** A WebSocket echo server. Prints its address when it listens. */
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })));
server.on('listening', () => console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
