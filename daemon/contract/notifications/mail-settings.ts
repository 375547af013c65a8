import * as z from 'zod';
import { named, namedStrictly } from '../common/common.ts';

/** A name as in DNS, or an IP address; no scheme, port or path. */
const SERVER =
  /^(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?)*$/u;
const NO_CONTROLS = /^\P{Cc}*$/u;

const server = z
  .string()
  .trim()
  .refine((text) => SERVER.test(text) || z.ipv6().safeParse(text).success, {
    error: 'the name of a server, such as mail.example.org, without https:// and without a port',
  });
const address = z.email('a mail address, such as ada@example.org').max(254);
/** The protocol for a user name ends it at some control characters. */
const credential = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => NO_CONTROLS.test(text), { error: 'no control characters' });

/** `tls`: encrypted from the start; `starttls`: encrypted before anything is sent; `none`: readable on the network. */
export const MailSecurity = z.enum(['starttls', 'tls', 'none']);
export type MailSecurity = z.infer<typeof MailSecurity>;

const fields = {
  host: server,
  port: z.int('a port, from 1 to 65535').min(1, 'a port, from 1 to 65535').max(65_535, 'a port, from 1 to 65535'),
  security: MailSecurity,
  /** null: the server asks for none. */
  user: credential(320).nullable(),
  from: address,
  to: address,
};

/** A mail server, and who gets the mail. */
export const MailRequest = namedStrictly('MailRequest', {
  ...fields,
  /** Absent: the saved one stays, if server, port, security and user are the saved ones. */
  password: credential(1_000).optional(),
});
export type MailRequest = z.infer<typeof MailRequest>;

/** The same without the password, which is never given out. */
export const MailServer = named('MailServer', { ...fields, hasPassword: z.boolean() });
export type MailServer = z.infer<typeof MailServer>;

/** null: no mail server is set up. */
export const MailSettings = named('MailSettings', { mail: MailServer.nullable() });
export type MailSettings = z.infer<typeof MailSettings>;

/** The mail server accepted a test mail. */
export const MailSent = named('MailSent', { to: z.string() });
