import { domainToASCII } from 'node:url';
import type { Clock } from '../../shared/clock.ts';
import { type MailDeadlines, mailDeadlines, mailFailed } from './mail-problem.ts';
import type { OpenMailServer } from './mail-record.ts';
import type { Mail } from './mail-text.ts';

export interface MailSending {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits?: MailDeadlines;
}

/**
 * Sends a mail, and returns once the server has taken it. Loads the library at the first mail.
 * @throws MailFailed
 */
export async function sendMail(
  mail: Mail,
  server: OpenMailServer,
  { clock, signal, limits = mailDeadlines }: MailSending,
): Promise<void> {
  const { host, port, security, user, password, from, to } = server;
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport({
    host: domainToASCII(host) || host, // an IPv6 address is no domain
    port,
    secure: security === 'tls',
    // Never in plain text where encryption was chosen, and as chosen where it was not.
    ...(security === 'starttls' && { requireTLS: true }),
    ...(security === 'none' && { ignoreTLS: true }),
    ...(user !== null && password !== null && { auth: { user, pass: password } }),
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: limits.connectMs + limits.greetingMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.silenceMs,
    dnsTimeout: limits.connectMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: { name: 'Robot Desktop', address: from },
      to: { name: '', address: to },
      ...(mail.id !== undefined && { messageId: `<${mail.id}@${from.slice(from.lastIndexOf('@') + 1)}>` }),
      subject: mail.subject,
      text: mail.text,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.any([signal, clock.timeout(limits.wholeMs)]),
    });
  } catch (error) {
    throw mailFailed(error, server, limits);
  } finally {
    transport.close();
  }
}
