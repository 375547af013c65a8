import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { type MailRequest, MailServer } from '../../contract/notifications/mail-settings.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import type { SecretStore } from '../../shared/files/secret-store.ts';
import { savingIn } from '../../shared/files/storage-errors.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Logger } from '../../shared/logger.ts';
import { NoMailServer } from './errors.ts';

export const StoredMail = MailServer.omit({ hasPassword: true }).extend({
  /** Encrypted; null: the server asks for none. */
  sealedPassword: z.string().nullable(),
});
type StoredMail = z.infer<typeof StoredMail>;

interface MailRecordDeps {
  readonly file: string;
  readonly secrets: SecretStore;
  readonly log: Logger;
}

/** The stored mail server, its password encrypted. */
export class MailRecord {
  readonly #deps: MailRecordDeps;
  readonly #changes = new Mutex();
  #stored: StoredMail | null = null;

  constructor(deps: MailRecordDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    const { file, log } = this.#deps;
    const found = await readStoredFile(file, StoredMail, log).catch((error: unknown) => {
      log.error('mail: the stored server could not be read', error);
      return null;
    });
    this.#stored = found?.value ?? null;
  }

  /** null: none is set up. */
  get server(): MailServer | null {
    if (!this.#stored) return null;
    const { sealedPassword, ...server } = this.#stored;
    return { ...server, hasPassword: sealedPassword !== null };
  }

  /** @throws InvalidBody for a missing password, StorageError */
  set({ password, ...server }: MailRequest): Promise<void> {
    return this.#changes.run(async () => {
      const stored = { ...server, sealedPassword: await this.#sealed(server, password) };
      await writeJsonFile(this.#deps.file, stored);
      this.#stored = stored;
    });
  }

  /** @throws StorageError */
  remove(): Promise<void> {
    const { file } = this.#deps;
    return this.#changes.run(async () => {
      await savingIn(dirname(file), () => rm(file, { force: true }));
      this.#stored = null;
    });
  }

  /** @throws NoMailServer, SecretUnreadable, SecretKeyUnavailable */
  async open(): Promise<OpenMailServer> {
    if (!this.#stored) throw new NoMailServer();
    const { sealedPassword, ...server } = this.#stored;
    return { ...server, password: sealedPassword === null ? null : await this.#deps.secrets.decrypt(sealedPassword) };
  }

  /** The password of a new record; a saved one goes to no other server, and over no other kind of connection. */
  async #sealed(server: Omit<MailRequest, 'password'>, password: string | undefined): Promise<string | null> {
    if (server.user === null) {
      if (password === undefined) return null;
      throw invalid('user', 'Enter the user name that the password belongs to.');
    }
    if (password !== undefined) return this.#deps.secrets.encrypt(password);
    const saved = this.#stored;
    if (saved === null || saved.sealedPassword === null) throw invalid('password', 'Enter the password of this user.');
    const isSame = (['host', 'port', 'security', 'user'] as const).every((key) => saved[key] === server[key]);
    if (isSame) return saved.sealedPassword;
    throw invalid('password', 'Enter the password again: the saved one is for the server, port and user as they were.');
  }
}

const invalid = (field: string, message: string) => new InvalidBody(message, [{ path: [field], message }]);

/** A mail server with its password; null: it asks for none. */
export type OpenMailServer = Omit<MailServer, 'hasPassword'> & { readonly password: string | null };

/** `mail.example.org on port 587` */
export const serverText = ({ host, port }: Pick<MailServer, 'host' | 'port'>): string => `${host} on port ${port}`;
