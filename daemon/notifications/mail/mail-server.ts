import type { MailServer } from '../../contract/notifications/mail-settings.ts';

/** A mail server with its password; null: it asks for none. */
export type OpenMailServer = Omit<MailServer, 'hasPassword'> & { readonly password: string | null };

/** `mail.example.org on port 587` */
export const serverText = ({ host, port }: Pick<MailServer, 'host' | 'port'>): string => `${host} on port ${port}`;
