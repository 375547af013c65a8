import {
  MailRequest,
  type MailSecurity,
  type MailServer,
} from '../../../daemon/contract/notifications/mail-settings.ts';

/** The form's fields as typed. */
export interface MailValues {
  readonly host: string;
  readonly port: string;
  readonly security: MailSecurity;
  /** Empty: the server asks for none. */
  readonly user: string;
  /** Empty: the saved one stays. */
  readonly password: string;
  readonly from: string;
  readonly to: string;
}

export type MailField = keyof MailValues;
/** A message for each invalid field. */
export type MailProblems = { readonly [F in MailField]?: string };

/** The usual port of each kind of encryption. */
const usualPorts: Readonly<Record<MailSecurity, string>> = { starttls: '587', tls: '465', none: '25' };

export function valuesOf(mail: MailServer | null): MailValues {
  if (!mail)
    return { host: '', port: usualPorts.starttls, security: 'starttls', user: '', password: '', from: '', to: '' };
  const { host, port, security, user, from, to } = mail;
  return { host, port: String(port), security, user: user ?? '', password: '', from, to };
}

/** Another encryption; its usual port replaces the usual port of the one before. */
export function withSecurity(values: MailValues, security: MailSecurity): MailValues {
  const port = values.port === usualPorts[values.security] ? usualPorts[security] : values.port;
  return { ...values, security, port };
}

/** The request, not validated. */
export function requestOf({ host, port, security, user, password, from, to }: MailValues): MailRequest {
  return {
    host: host.trim(),
    port: /^\d{1,5}$/.test(port.trim()) ? Number(port.trim()) : 0,
    security,
    user: user.trim() === '' ? null : user.trim(),
    ...(password !== '' && { password }),
    from: from.trim(),
    to: to.trim(),
  };
}

/** Validates the form by the daemon's schema. */
export function problemsOf(values: MailValues): MailProblems {
  const issues = MailRequest.safeParse(requestOf(values)).error?.issues ?? [];
  const found = issues.map(({ path, message }) => [String(path[0]), `Enter ${message}.`] as const);
  const noUser = values.password !== '' && values.user.trim() === '';
  const problems: MailProblems = Object.fromEntries(found.reverse());
  return noUser ? { ...problems, user: 'Enter the user name that the password belongs to.' } : problems;
}

export function isChanged(values: MailValues, mail: MailServer | null): boolean {
  const saved = valuesOf(mail);
  return (Object.keys(saved) as MailField[]).some((field) => values[field].trim() !== saved[field]);
}
