import type { MailRequest, MailSettings } from '../../contract/notifications/mail-settings.ts';
import { Mutex } from '../../shared/async/mutex.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Delivery } from '../news/news.ts';
import type { DeliveryFailure } from '../news/repeated-delivery.ts';
import { MailFailed } from './errors.ts';
import { TRY_LATER } from './mail-problem.ts';
import type { MailRecord } from './mail-record.ts';
import { sendMail } from './mail-sender.ts';
import { type Mail, newsMail, testMail } from './mail-text.ts';

interface MailerDeps {
  readonly record: MailRecord;
  /** The name of this machine, for the reader of a mail. */
  readonly machine: string;
  /** Called when a server is set up or removed. */
  readonly onChanged: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The mail server: set up by people, and used for news. */
export class Mailer {
  readonly #deps: MailerDeps;
  /** News are mailed one after the other: a server that hangs holds one connection. */
  readonly #sending = new Mutex();
  readonly #ending = new AbortController();

  constructor(deps: MailerDeps) {
    this.#deps = deps;
  }

  load(): Promise<void> {
    return this.#deps.record.load();
  }

  get isSetUp(): boolean {
    return this.#deps.record.server !== null;
  }

  settings(): MailSettings {
    return { mail: this.#deps.record.server };
  }

  /** @throws InvalidBody for a missing password, StorageError */
  async set(request: MailRequest): Promise<MailSettings> {
    await this.#deps.record.set(request);
    this.#deps.onChanged();
    return this.settings();
  }

  /** @throws StorageError */
  async remove(): Promise<MailSettings> {
    await this.#deps.record.remove();
    this.#deps.onChanged();
    return this.settings();
  }

  /** Sends a test mail. @returns its recipient @throws NoMailServer, SecretUnreadable, SecretKeyUnavailable, MailFailed */
  async test(): Promise<{ readonly to: string }> {
    const { machine, clock } = this.#deps;
    return { to: await this.#send(testMail(machine, clock.now())) };
  }

  /** Mails news. @param id the same for each try to mail them @returns why they could not be sent; null: they were */
  async sendNews({ news, held }: Delivery, id: string): Promise<DeliveryFailure | null> {
    const { machine, log } = this.#deps;
    try {
      await this.#sending.run(() => this.#send({ id, ...newsMail(news, held, machine) }));
      return null;
    } catch (error) {
      const failure = this.#ending.signal.aborted
        ? { problem: 'The daemon was stopped before.', isTemporary: false }
        : { problem: problemText(error), isTemporary: error instanceof MailFailed && error.isTemporary };
      log.warn(`mail: "${news.title}" was not sent: ${failure.problem}`);
      return failure;
    }
  }

  /** Ends what is being sent, and sends nothing more. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#sending.idle();
  }

  async #send(mail: Mail): Promise<string> {
    const { record, clock } = this.#deps;
    const server = await record.open();
    await sendMail(mail, server, { clock, signal: this.#ending.signal });
    return server.to;
  }
}

function problemText(error: unknown): string {
  const isForUser = error instanceof MailFailed && error.action !== TRY_LATER;
  return isForUser ? `${error.message} ${error.action}` : (error as Error).message;
}
