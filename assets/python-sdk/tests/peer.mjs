// The fake daemon of the tests: the `ws` package, controlled by lines on standard input.
// One argument: JSON {welcome?: message, refuse?: {status, body}, badAccept?: true, port?: number,
// noPong?: true}.
// Each line on stdin is a command, each line on stdout a report; both JSON.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';

const { welcome, refuse, badAccept, port = 0, noPong = false } = JSON.parse(process.argv[2]);
const report = (fields) => process.stdout.write(`${JSON.stringify(fields)}\n`);

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: !noPong });
const http = createServer((_request, response) => response.writeHead(404).end());
let socket;

http.on('upgrade', (request, connection, head) => {
  report({ event: 'upgrade', path: request.url, headers: request.headers });
  if (refuse) {
    const body = JSON.stringify(refuse.body);
    connection.end(`HTTP/1.1 ${refuse.status} No\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  } else if (badAccept) {
    connection.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Accept: bm90IHRoZSByaWdodCBvbmU=\r\n\r\n',
    );
  } else {
    sockets.handleUpgrade(request, connection, head, serve);
  }
});

function serve(opened) {
  socket = opened;
  socket.on('message', (data) => {
    report({ event: 'message', text: data.toString() });
    if (welcome && JSON.parse(data).type === 'hello') socket.send(JSON.stringify(welcome));
  });
  socket.on('pong', (data) => report({ event: 'pong', data: data.toString() }));
  socket.on('close', (code, reason) => report({ event: 'closed', code, reason: reason.toString() }));
}

const commands = {
  send: ({ text }) => socket.send(text),
  fragments: ({ parts }) =>
    parts.forEach((part, at) => {
      socket.send(part, { fin: at === parts.length - 1 });
      socket.ping(`between ${at}`);
    }),
  binary: () => socket.send(Buffer.from([1, 2, 3])),
  ping: ({ data }) => socket.ping(data),
  close: ({ code, reason }) => socket.close(code, reason),
  drop: () => socket.terminate(),
  leave: () => process.exit(),
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const command = JSON.parse(line);
    commands[command.do](command);
  })
  .on('close', () => process.exit());

http.listen(port, '127.0.0.1', () => report({ event: 'listening', port: http.address().port }));
