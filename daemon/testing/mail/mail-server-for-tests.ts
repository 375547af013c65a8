import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailSecurity } from '../../contract/notifications/mail-settings.ts';
import type { TestCertificate } from './certificate.ts';

/** A mail as the server got it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** null: the client did not sign in. */
  readonly user: string | null;
  readonly isEncrypted: boolean;
  /** Headers and body. */
  readonly raw: string;
}

export interface TestMailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
}

export interface MailServerChoices {
  readonly security?: MailSecurity;
  readonly certificate?: TestCertificate;
  /** Asks for a user name and a password. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Default: a free one. */
  readonly port?: number;
  /** Refuses this recipient or sender. */
  readonly refuses?: string;
  readonly more?: SMTPServerOptions;
}

/** A real SMTP server on 127.0.0.1, which keeps the mails. */
export async function startMailServer(choices: MailServerChoices = {}): Promise<TestMailServer> {
  const { security = 'none', certificate, login, refuses, more } = choices;
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    secure: security === 'tls',
    ...certificate,
    authOptional: login === undefined,
    allowInsecureAuth: security === 'none',
    disabledCommands: [...(security === 'starttls' ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      const isKnown = username === login?.user && password === login?.password;
      // A server may repeat what it was sent.
      if (isKnown) done(null, { user: username });
      else done(Object.assign(new Error(`No, not with ${password}`), { responseCode: 535 }));
    },
    onMailFrom: ({ address }, _session, done) => done(refusal(address)),
    onRcptTo: ({ address }, _session, done) => done(refusal(address)),
    onData: (stream, session, done) => {
      void text(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: (session.user as string | undefined) ?? null,
          isEncrypted: session.secure,
          raw,
        });
        done();
      }, done);
    },
    ...more,
  });
  const refusal = (address: string) =>
    address === refuses ? Object.assign(new Error(`${address} is\r\nnot welcome`), { responseCode: 550 }) : null;
  server.on('error', () => {}); // of connections that clients end in the middle
  await new Promise<void>((resolve) => server.listen(choices.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** A server that speaks no SMTP. @param greet is called for each connection */
export async function startOddServer(greet: (socket: Socket) => void): Promise<Omit<TestMailServer, 'mails'>> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
