// The fake daemons of the tests, all in one process: the `ws` package, controlled by lines on standard input.
// Each line on stdin is a command to one of them, by its number `peer`; each line on stdout a report of one; both JSON.
// The first command to each is {do: "listen", welcome?: message, refuse?: {status, body}, badAccept?: true,
// port?: number, noPong?: true}.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';

class Peer {
  constructor(number) {
    this.number = number;
  }

  report(fields) {
    process.stdout.write(`${JSON.stringify({ peer: this.number, ...fields })}\n`);
  }

  listen({ port = 0, noPong = false, ...script }) {
    this.script = script;
    this.connections = new Set();
    this.sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: !noPong });
    this.http = createServer((_request, response) => response.writeHead(404).end());
    this.http.on('connection', (connection) => {
      this.connections.add(connection);
      connection.on('close', () => this.connections.delete(connection));
    });
    this.http.on('upgrade', (request, connection, head) => this.upgrade(request, connection, head));
    this.http.listen(port, '127.0.0.1', () => this.report({ event: 'listening', port: this.http.address().port }));
  }

  upgrade(request, connection, head) {
    this.report({ event: 'upgrade', path: request.url, headers: request.headers });
    const { refuse, badAccept } = this.script;
    if (refuse) {
      const body = JSON.stringify(refuse.body);
      connection.end(`HTTP/1.1 ${refuse.status} No\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    } else if (badAccept) {
      connection.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          'Sec-WebSocket-Accept: bm90IHRoZSByaWdodCBvbmU=\r\n\r\n',
      );
    } else {
      this.sockets.handleUpgrade(request, connection, head, (opened) => this.serve(opened));
    }
  }

  serve(opened) {
    this.socket = opened;
    opened.on('message', (data) => {
      this.report({ event: 'message', text: data.toString() });
      const { welcome } = this.script;
      if (welcome && JSON.parse(data).type === 'hello') opened.send(JSON.stringify(welcome));
    });
    opened.on('pong', (data) => this.report({ event: 'pong', data: data.toString() }));
    opened.on('close', (code, reason) => this.report({ event: 'closed', code, reason: reason.toString() }));
  }

  send({ text }) {
    this.socket.send(text);
  }

  fragments({ parts }) {
    parts.forEach((part, at) => {
      this.socket.send(part, { fin: at === parts.length - 1 });
      this.socket.ping(`between ${at}`);
    });
  }

  binary() {
    this.socket.send(Buffer.from([1, 2, 3]));
  }

  ping({ data }) {
    this.socket.ping(data);
  }

  close({ code, reason }) {
    this.socket.close(code, reason);
  }

  drop() {
    this.socket.terminate();
  }

  /** Closes what a process that is killed would. */
  leave() {
    this.http.close();
    for (const connection of this.connections) connection.destroy();
    this.report({ event: 'left' });
  }
}

const peers = new Map();

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { peer, do: command, ...details } = JSON.parse(line);
    if (!peers.has(peer)) peers.set(peer, new Peer(peer));
    try {
      peers.get(peer)[command](details);
    } catch (error) {
      console.error(error); // the other peers go on
    }
  })
  .on('close', () => process.exit());
