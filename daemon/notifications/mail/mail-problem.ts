import { secondsText } from '../../shared/async/deadline.ts';
import { visibleText } from '../../shared/display-text.ts';
import { MailFailed } from './errors.ts';
import { type OpenMailServer, serverText } from './mail-record.ts';

/** The members of the library's errors; `code` is its own, `originalCode` the system's. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly timeoutType?: string;
}

/** In milliseconds. */
export const mailDeadlines = {
  connectMs: 10_000,
  greetingMs: 10_000,
  /** The longest silence of the server. */
  silenceMs: 20_000,
  wholeMs: 40_000,
};
export type MailDeadlines = Readonly<typeof mailDeadlines>;

const MAX_QUOTE = 200;
export const TRY_LATER = 'Try again later.';
const CHECK_SERVER = 'Check the server and the port in Settings, under Mail.';
const CHECK_SECURITY = 'Choose another encryption in Settings, under Mail, or another port.';

/** The rest of the sentence that a certificate is not accepted, and the cure. */
type CertificateProblem = readonly [why: string, action: string];

// The daemon knows the authorities that come with Node, not those of the operating system.
const TRUST_IT =
  'To trust it, set the environment variable NODE_EXTRA_CA_CERTS to the file of its certificate when you start Robot Desktop, or use another server.';
const selfSigned: CertificateProblem = ['it signed it itself', TRUST_IT];
const unknownAuthority: CertificateProblem = ['the authority that issued it is not known', TRUST_IT];
const renew = 'Ask for a new one where the server is run, or use another server.';

const certificateProblems: Readonly<Record<string, CertificateProblem>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_HAS_EXPIRED: ['it has expired', `Check the clock of this machine. ${renew}`],
  CERT_NOT_YET_VALID: ['it is not valid yet', `Check the clock of this machine. ${renew}`],
  CERT_REVOKED: ['it was revoked', renew],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'it is for another name',
    'Use the name that is in the certificate, in Settings, under Mail.',
  ],
};

/** Says why a mail was not sent. Quotes the server where its own reason helps, never the password. */
export function mailFailed(error: unknown, server: OpenMailServer, limits: MailDeadlines): MailFailed {
  const { what, action } = problem(error as SmtpError, server, limits);
  return new MailFailed(what, action, isTemporary(error as SmtpError));
}

/** Whether the next try may succeed: the server or the network was not there, was too slow, or asked to come later. */
function isTemporary({ code = '', originalCode = code, responseCode, response }: SmtpError): boolean {
  if (certificateProblems[originalCode] ?? certificateProblems[code]) return false;
  if (responseCode !== undefined) return responseCode >= 400 && responseCode < 500;
  if (response !== undefined && !/^\d{3}/.test(response)) return false; // no mail server
  if (/^ERR_SSL|^EPROTO$/.test(originalCode)) return false;
  return !['EAUTH', 'EENVELOPE', 'EMESSAGE', 'ETLS', 'ECONFIG'].includes(code);
}

interface Problem {
  readonly what: string;
  readonly action: string;
}

function problem(error: SmtpError, server: OpenMailServer, limits: MailDeadlines): Problem {
  const where = serverText(server);
  const certificate = certificateProblems[error.originalCode ?? ''] ?? certificateProblems[error.code ?? ''];
  if (certificate) {
    const [why, action] = certificate;
    return { what: `The certificate of ${server.host} is not accepted: ${why}.`, action };
  }
  switch (error.code) {
    case 'EAUTH':
      return refusedLogin(error, server);
    case 'EENVELOPE':
    case 'EMESSAGE':
      return refusedMail(error, server);
    case 'EDNS':
      return { what: `There is no server named ${server.host}, or the network is down.`, action: CHECK_SERVER };
    case 'ETLS':
      return withoutTls(error, server, where);
    case 'ETIMEDOUT':
      return silent(error, where, limits);
    case 'EABORT':
      return { what: `${where} did not take the mail within ${secondsText(limits.wholeMs)}.`, action: TRY_LATER };
    default:
      return unconnected(error, server, where);
  }
}

function refusedLogin({ responseCode = 0 }: SmtpError, { host, user }: OpenMailServer): Problem {
  if (responseCode >= 400 && responseCode < 500) {
    return { what: `${host} cannot check the user name and password now.`, action: TRY_LATER };
  }
  // The server's own text is not quoted: it may repeat what it was sent.
  const what = `${host} does not accept the user name ${visibleText(user ?? '')} with this password.`;
  const action = 'Enter them again in Settings, under Mail. Some services want a password made for programs.';
  return { what, action };
}

function refusedMail(error: SmtpError, server: OpenMailServer): Problem {
  const { host, from, to, user } = server;
  const why = quoteOf(error, server);
  const { command = '', responseCode = 0 } = error;
  if (responseCode >= 400 && responseCode < 500) {
    return { what: `${host} does not take the mail now${why}`, action: TRY_LATER };
  }
  if (responseCode === 530) {
    if (user !== null)
      return { what: `${host} lets nobody sign in over this connection${why}`, action: CHECK_SECURITY };
    const what = `${host} asks for a user name and a password${why}`;
    return { what, action: 'Enter them in Settings, under Mail.' };
  }
  if (command.startsWith('RCPT')) {
    return { what: `${host} refuses mail to ${to}${why}`, action: 'Check the recipient in Settings, under Mail.' };
  }
  if (command.startsWith('MAIL')) {
    return { what: `${host} refuses mail from ${from}${why}`, action: 'Check the sender in Settings, under Mail.' };
  }
  return { what: `${host} refuses the mail${why}`, action: 'Check sender and recipient in Settings, under Mail.' };
}

function withoutTls(error: SmtpError, { security }: OpenMailServer, where: string): Problem {
  if (security === 'starttls' && error.responseCode !== undefined) {
    return { what: `${where} does not offer STARTTLS. Nothing was sent.`, action: CHECK_SECURITY };
  }
  return { what: `${where} could not begin an encrypted connection. Nothing was sent.`, action: CHECK_SECURITY };
}

function silent({ timeoutType }: SmtpError, where: string, limits: MailDeadlines): Problem {
  switch (timeoutType) {
    case 'GREETING_TIMEOUT': {
      const what = `${where} answers, but not as a mail server, within ${secondsText(limits.greetingMs)}.`;
      return { what, action: CHECK_SECURITY };
    }
    case 'UPGRADE_TIMEOUT':
      return { what: `${where} did not begin to encrypt in time. Nothing was sent.`, action: CHECK_SECURITY };
    case 'SOCKET_TIMEOUT':
      return { what: `${where} said nothing for ${secondsText(limits.silenceMs)}.`, action: TRY_LATER };
    default:
      return { what: `${where} did not answer within ${secondsText(limits.connectMs)}.`, action: CHECK_SERVER };
  }
}

function unconnected(error: SmtpError, server: OpenMailServer, where: string): Problem {
  const { code = '', originalCode = code } = error;
  if (originalCode === 'ECONNREFUSED') {
    return { what: `Nothing answers at ${where}.`, action: CHECK_SERVER };
  }
  if (/^(?:ENOTFOUND|EAI_)/.test(originalCode)) {
    return { what: `There is no server named ${server.host}, or the network is down.`, action: CHECK_SERVER };
  }
  if (/^E(?:HOST|NET)(?:UNREACH|DOWN)$/.test(originalCode)) {
    return { what: `${server.host} cannot be reached.`, action: 'Check the network, then try again.' };
  }
  if (/^ERR_SSL|^EPROTO$/.test(originalCode)) {
    return { what: `${where} does not speak TLS from the start. Nothing was sent.`, action: CHECK_SECURITY };
  }
  if (error.response !== undefined) {
    return { what: `${where} ended the conversation${quoteOf(error, server)}`, action: TRY_LATER };
  }
  return { what: `${where} closed the connection.`, action: CHECK_SECURITY };
}

/** The server's reason, ` (it says: …).`, without anything that was given to it in confidence. */
function quoteOf({ response }: SmtpError, { user, password }: OpenMailServer): string {
  if (response === undefined || response === '') return '.';
  let text = visibleText(response.replaceAll(/\s+/g, ' ').trim());
  for (const secret of secretsOf(user, password)) text = text.replaceAll(secret, '…');
  return ` (it says: ${text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text}).`;
}

function secretsOf(user: string | null, password: string | null): string[] {
  if (password === null) return [];
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  return [password, visibleText(password), encoded(password), encoded(`\0${user ?? ''}\0${password}`)];
}
