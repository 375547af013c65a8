import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { selfSignedCertificate } from '../../testing/mail/certificate.ts';
import { type MailServerChoices, startMailServer, startOddServer } from '../../testing/mail/mail-server-for-tests.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import type { MailFailed } from './errors.ts';
import type { MailDeadlines } from './mail-problem.ts';
import type { OpenMailServer } from './mail-record.ts';
import { type MailSending, sendMail } from './mail-sender.ts';

const mail = { subject: 'lab/chat failed', text: 'The file is damaged.\n.\nGrüße' };
const login = { user: 'ada', password: 'hunter2 "ß"' };
const certificate = selfSignedCertificate();

function serverAt(port: number, more: Partial<OpenMailServer> = {}): OpenMailServer {
  return {
    ...{ host: 'localhost', port, security: 'none', user: null, password: null },
    ...{ from: 'robot@example.org', to: 'ada@example.org' },
    ...more,
  };
}

async function started(choices: MailServerChoices = {}) {
  const server = await startMailServer(choices);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** Makes this process trust the test's certificate, as a machine trusts that of a company. */
function trustCertificate(): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
}

const limits: MailDeadlines = { connectMs: 5_000, greetingMs: 5_000, silenceMs: 5_000, wholeMs: 20_000 };
const send = (server: OpenMailServer, other?: Partial<MailDeadlines>, more: Partial<MailSending> = {}) =>
  sendMail(mail, server, {
    clock: systemClock,
    signal: new AbortController().signal,
    limits: { ...limits, ...other },
    ...more,
  });

const failureOf = (sending: Promise<void>): Promise<MailFailed> =>
  sending.then(
    () => {
      throw new Error('It was sent.');
    },
    (error: MailFailed) => error,
  );

/** The two sentences of a mail that was not sent. */
async function problemOf(sending: Promise<void>): Promise<string> {
  const { message, action } = await failureOf(sending);
  return `${message} ${action}`;
}

/** Work with a server that speaks no SMTP. The mail library has no clock: its timers are moved once it is connected. */
async function movingTimers<T>(greet: (socket: Socket) => void, work: (port: number) => Promise<T>): Promise<T> {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const server = await startOddServer((socket) => {
    greet(socket);
    resolve();
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isOver = false;
  const done = work(server.port).finally(() => {
    isOver = true;
  });
  await connected;
  for (let movedMs = 0; !isOver; movedMs += 10) {
    expect(movedMs).toBeLessThanOrEqual(limits.greetingMs + 1_000);
    vi.advanceTimersByTime(10);
    await nextTurn();
  }
  return done;
}

/** A server that answers at a step of the conversation with a code. */
const answering = (step: 'onAuth' | 'onMailFrom' | 'onRcptTo' | 'onConnect', responseCode: number) => ({
  [step]: (...all: readonly unknown[]) =>
    (all.at(-1) as (error: Error) => void)(Object.assign(new Error('no'), { responseCode })),
});

test('a mail in plain text arrives as it was written, from the product and marked as sent by a program', async () => {
  const server = await started();
  await send(serverAt(server.port));
  expect(server.mails).toEqual([
    {
      ...{ from: 'robot@example.org', to: ['ada@example.org'], user: null, isEncrypted: false },
      raw: expect.stringContaining('Subject: lab/chat failed'),
    },
  ]);
  const { raw } = server.mails[0] as { raw: string };
  expect(raw).toContain('From: Robot Desktop <robot@example.org>');
  expect(raw).toContain('To: ada@example.org');
  expect(raw).toContain('Auto-Submitted: auto-generated');
  expect(raw).toMatch(/damaged\.\r\n\.\r\nGr=C3=BC/);
});

test.each(['starttls', 'tls'] as const)(
  '%s: user name and password go over an encrypted connection only',
  async (security) => {
    trustCertificate();
    const server = await started({ security, certificate, login });
    await send(serverAt(server.port, { security, ...login }));
    expect(server.mails).toMatchObject([{ user: 'ada', isEncrypted: true }]);
  },
);

test.each(['starttls', 'tls'] as const)(
  '%s: a certificate that this machine does not trust is refused',
  async (security) => {
    const server = await started({ security, certificate, login });
    expect(await problemOf(send(serverAt(server.port, { security, ...login })))).toBe(
      'The certificate of localhost is not accepted: it signed it itself. To trust it, set the environment variable NODE_EXTRA_CA_CERTS to the file of its certificate when you start Robot Desktop, or use another server.',
    );
    expect(server.mails).toEqual([]);
  },
);

test('a certificate for another name is refused', async () => {
  const other = selfSignedCertificate('mail.example.org');
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, other.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  const server = await started({ security: 'tls', certificate: other });
  expect(await problemOf(send(serverAt(server.port, { security: 'tls' })))).toContain('it is for another name.');
});

test('starttls does not fall back to plain text, and none begins no encryption', async () => {
  const plain = await started({ login });
  expect(await problemOf(send(serverAt(plain.port, { security: 'starttls', ...login })))).toBe(
    `localhost on port ${plain.port} does not offer STARTTLS. Nothing was sent. Choose another encryption in Settings, under Mail, or another port.`,
  );
  expect(plain.mails).toEqual([]);
  const encrypting = await started({ security: 'starttls', certificate });
  await send(serverAt(encrypting.port));
  expect(encrypting.mails).toMatchObject([{ isEncrypted: false }]);
});

test('a server whose STARTTLS is followed by something else gets no password', async () => {
  const seen: string[] = [];
  const server = await startOddServer((socket) => {
    socket.write('220 hello\r\n');
    socket.on('data', (bytes) => {
      seen.push(bytes.toString('latin1'));
      if (/^EHLO/.test(String(bytes))) socket.write('250-hello\r\n250-AUTH PLAIN\r\n250 STARTTLS\r\n');
      else socket.write('220 go on\r\n250 AUTH PLAIN\r\n');
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const problem = await problemOf(send(serverAt(server.port, { security: 'starttls', ...login }), { greetingMs: 500 }));
  expect(problem).toContain('Nothing was sent.');
  expect(seen.join('')).not.toContain('AUTH');
});

test('a TLS connection to a server that speaks plain text says so', async () => {
  const server = await started();
  expect(await problemOf(send(serverAt(server.port, { security: 'tls' })))).toBe(
    `localhost on port ${server.port} does not speak TLS from the start. Nothing was sent. Choose another encryption in Settings, under Mail, or another port.`,
  );
});

test('a wrong password is reported without it, even if the server repeats it', async () => {
  const server = await started({ login });
  const wrong = { user: 'ada', password: 'wrong-password' };
  expect(await problemOf(send(serverAt(server.port, wrong)))).toBe(
    'localhost does not accept the user name ada with this password. Enter them again in Settings, under Mail. Some services want a password made for programs.',
  );
});

test('a server that wants a user name says so', async () => {
  const server = await started({ login });
  expect(await problemOf(send(serverAt(server.port)))).toMatch(
    /^localhost asks for a user name and a password \(it says: 530 .+\)\. Enter them in Settings/,
  );
});

test.each([
  [
    'the recipient',
    'ada@example.org',
    /^localhost refuses mail to ada@example\.org \(it says: 550 .+ not welcome\)\. Check the recipient/,
  ],
  [
    'the sender',
    'robot@example.org',
    /^localhost refuses mail from robot@example\.org \(it says: 550 .+ not welcome\)\. Check the sender/,
  ],
])('%s is refused: the server is quoted in one line', async (_who, refuses, expected) => {
  const server = await started({ refuses });
  const problem = await problemOf(send(serverAt(server.port)));
  expect(problem).toMatch(expected);
  expect(problem).not.toMatch(/[\r\n]/);
});

test('a refused mail is quoted in short, without the password', async () => {
  const more = {
    onData: (stream: NodeJS.ReadableStream, _session: unknown, done: (error: Error) => void) => {
      stream.resume();
      stream.on('end', () =>
        done(Object.assign(new Error(`\u001b[31m ${login.password} ${'x'.repeat(999)}`), { responseCode: 554 })),
      );
    },
  };
  const server = await started({ login, more: more as never });
  const problem = await problemOf(send(serverAt(server.port, login)));
  expect(problem).toMatch(/^localhost refuses the mail \(it says: 554 \[31m … x+…\)\./);
  expect(problem.length).toBeLessThan(400);
});

test('a server that says to come later is not blamed on the settings', async () => {
  const more = {
    onRcptTo: (_to: unknown, _session: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('greylisted'), { responseCode: 451 })),
  };
  const server = await started({ more: more as never });
  expect(await problemOf(send(serverAt(server.port)))).toBe(
    'localhost does not take the mail now (it says: 451 greylisted). Try again later.',
  );
});

test('a server that never greets is given up', async () => {
  expect(
    await movingTimers(
      () => {},
      (port) => problemOf(send(serverAt(port))),
    ),
  ).toMatch(
    /^localhost on port \d+ answers, but not as a mail server, within 5 seconds\. Choose another encryption in Settings, under Mail, or another port\.$/,
  );
});

test('a server that falls silent in the middle is given up', async () => {
  const server = await startOddServer((socket) => void socket.write('220 hello\r\n'));
  onTestFinished(() => server[Symbol.asyncDispose]());
  // A timer within Node's sockets, which nothing moves.
  expect(await problemOf(send(serverAt(server.port), { silenceMs: 50 }))).toBe(
    `localhost on port ${server.port} said nothing for 0 seconds. Try again later.`,
  );
});

test('a server that trickles for ever is given up after a time for the whole', async () => {
  const clock = movableClock();
  const { promise: trickled, resolve } = Promise.withResolvers<void>();
  const server = await startOddServer((socket) => {
    let lines = 0;
    const end = clock.every(50, () => {
      socket.write('220-wait\r\n');
      if (++lines === 3) resolve();
    });
    socket.on('close', end);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const begunMs = clock.elapsedMs();
  const problem = problemOf(send(serverAt(server.port), { wholeMs: 60_000 }, { clock }));
  await trickled;
  await clock.during(problem, 1_000);
  const tookMs = clock.elapsedMs() - begunMs;
  expect(tookMs).toBeGreaterThanOrEqual(60_000);
  expect(tookMs).toBeLessThan(120_000);
});

test.each([
  ['at once', (socket: { destroy(): void }) => socket.destroy()],
  ['after its greeting', (socket: { end(text: string): void }) => socket.end('220 hello\r\n')],
])('a server that drops the connection %s', async (_when, greet) => {
  const server = await startOddServer(greet as never);
  onTestFinished(() => server[Symbol.asyncDispose]());
  expect(await problemOf(send(serverAt(server.port)))).toMatch(/closed the connection\. Choose another encryption/);
});

test('a server that says goodbye is quoted', async () => {
  const server = await startOddServer((socket) => void socket.end('421 too many connections\r\n'));
  onTestFinished(() => server[Symbol.asyncDispose]());
  expect(await problemOf(send(serverAt(server.port)))).toContain(
    '(it says: 421 too many connections). Try again later.',
  );
});

test('a port without a server, and a name without a machine', async () => {
  const server = await startMailServer();
  await server[Symbol.asyncDispose]();
  expect(await problemOf(send(serverAt(server.port)))).toBe(
    `Nothing answers at localhost on port ${server.port}. Check the server and the port in Settings, under Mail.`,
  );
  expect(await problemOf(send(serverAt(25, { host: 'nothing.invalid' })))).toBe(
    'There is no server named nothing.invalid, or the network is down. Check the server and the port in Settings, under Mail.',
  );
});

test('a signal ends a mail that is being sent', async () => {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const server = await startOddServer(() => resolve());
  onTestFinished(() => server[Symbol.asyncDispose]());
  const ending = new AbortController();
  const sending = problemOf(send(serverAt(server.port), {}, { signal: ending.signal }));
  await connected;
  ending.abort();
  await sending;
});

test('no subject adds a header', async () => {
  const server = await started();
  await sendMail({ subject: 'a\r\nBcc: eve@example.org', text: 'x' }, serverAt(server.port), {
    clock: systemClock,
    signal: new AbortController().signal,
  });
  expect(server.mails[0]?.to).toEqual(['ada@example.org']);
  expect(server.mails[0]?.raw).not.toMatch(/^Bcc/m);
});

test.each([
  ['onConnect', 421, true],
  ['onConnect', 554, false],
  ['onMailFrom', 451, true],
  ['onMailFrom', 550, false],
  ['onRcptTo', 450, true],
  ['onRcptTo', 553, false],
  ['onAuth', 454, true],
  ['onAuth', 535, false],
] as const)('a server that answers with its code (%s, %i): a later try is of use: %s', async (step, code, expected) => {
  const server = await started({ login, more: answering(step, code) as never });
  expect((await failureOf(send(serverAt(server.port, login)))).isTemporary).toBe(expected);
});

test.each<[string, boolean, (socket: Socket) => void]>([
  ['never greets', true, () => {}],
  ['drops the connection', true, (socket) => socket.destroy()],
  ['ends it after its greeting', true, (socket) => void socket.end('220 hello\r\n')],
  ['is no mail server', false, (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('a server that %s: a later try is of use: %s', async (_what, expected, greet) => {
  const failure = await movingTimers(greet, (port) => failureOf(send(serverAt(port))));
  expect([failure.isTemporary, failure.message]).toEqual([expected, failure.message]);
});

test('a port without a server may have one later; a certificate that is refused, and TLS to plain text, stay so', async () => {
  const gone = await startMailServer();
  await gone[Symbol.asyncDispose]();
  expect(await failureOf(send(serverAt(gone.port)))).toMatchObject({ isTemporary: true });
  expect(await failureOf(send(serverAt(25, { host: 'nothing.invalid' })))).toMatchObject({ isTemporary: true });
  const plain = await started();
  for (const security of ['tls', 'starttls'] as const) {
    expect(await failureOf(send(serverAt(plain.port, { security })))).toMatchObject({ isTemporary: false });
    const distrusted = await started({ security, certificate });
    expect(await failureOf(send(serverAt(distrusted.port, { security })))).toMatchObject({ isTemporary: false });
  }
});

test('each sending of a mail with an id has the same Message-ID, at the domain of the sender', async () => {
  const server = await started();
  for (const _ of ['first', 'again']) {
    const { signal } = new AbortController();
    await sendMail({ ...mail, id: '12ab' }, serverAt(server.port), { clock: systemClock, signal });
  }
  const ids = server.mails.map(({ raw }) => /^Message-ID: (.+)\r$/m.exec(raw)?.[1]);
  expect(ids).toEqual(['<12ab@example.org>', '<12ab@example.org>']);
});
