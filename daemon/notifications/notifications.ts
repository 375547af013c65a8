import type { Notice } from '../contract/notifications/notifications.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { News } from '../shared/news.ts';
import type { Mailer } from './mail/mailer.ts';
import { HourlyDelivery, LimitedDelivery } from './news/delivery-limits.ts';
import { type HeldBack, heldText, newsKey } from './news/news.ts';
import { RepeatedDelivery, type Undelivered } from './news/repeated-delivery.ts';
import type { NoticeBoard } from './notice-board.ts';

/** A notification of the system: a title and a text, and what it is about. */
export type PushNotice = Pick<Notice, 'kind' | 'endpoint' | 'title' | 'text'>;

/** Shows notifications outside of the dashboard. Only a host has one: the desktop shows those of the system. */
export interface Notifier {
  /** A failure is logged, and disturbs nothing else. */
  show(notice: PushNotice): void | Promise<void>;
}

const MAILS_AN_HOUR = 20;
/** The waits before a mail is sent again that failed for the moment. They do not count as mails of the hour. */
export const MAIL_WAITS_MS = [60_000, 5 * 60_000, 15 * 60_000, 45 * 60_000];

interface NotificationsDeps {
  readonly board: NoticeBoard;
  readonly mailer: Pick<Mailer, 'load' | 'sendNews' | 'close' | 'isSetUp'>;
  /** The host's notifications; null: it has none. */
  readonly notifier: Notifier | null;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Brings news to people: to the bell at once, to the host's notifications and by mail within limits. Nothing that fails here
 * disturbs what the news are about.
 */
export class Notifications {
  readonly #deps: NotificationsDeps;
  readonly #push: LimitedDelivery;
  readonly #mail: LimitedDelivery;
  readonly #mailsOfHour: HourlyDelivery;
  readonly #mailUntilSent: RepeatedDelivery;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
    const { clock, mailer } = deps;
    this.#push = new LimitedDelivery(clock, (news, held) => void this.#show(news, held));
    this.#mailUntilSent = new RepeatedDelivery({
      waitsMs: MAIL_WAITS_MS,
      clock,
      deliver: (delivery, id) => mailer.sendNews(delivery, id),
      report: (news, unsent) => this.#showMail(news, unsent),
    });
    this.#mailsOfHour = new HourlyDelivery(MAILS_AN_HOUR, clock, (news, held) => this.#mailUntilSent.offer(news, held));
    this.#mail = new LimitedDelivery(clock, (news, held) => this.#mailsOfHour.offer(news, held));
  }

  async load(): Promise<void> {
    await Promise.all([this.#deps.board.load(), this.#deps.mailer.load()]);
  }

  /** Never throws. News that nobody has asked for are in the bell only if they are failures. */
  report(news: News): void {
    const { board, mailer } = this.#deps;
    const { push, email } = news.wants;
    if (!push && !email && !news.isFailure) return;
    const newest = news.isKnown ? board.list.find((notice) => newsKey(notice) === newsKey(news)) : undefined;
    const id = newest?.id ?? board.add(news);
    if (push) this.#push.offer(news);
    if (!email) return;
    if (mailer.isSetUp) this.#mail.offer(news);
    else board.setMail(id, { problem: 'No mail server was set up.', againAt: null });
  }

  forget(endpoint: News['endpoint']): void {
    this.#push.forget(endpoint);
    this.#mail.forget(endpoint);
    this.#mailsOfHour.forget(endpoint);
    this.#mailUntilSent.forget(endpoint);
  }

  async close(): Promise<void> {
    this.#push.close();
    this.#mail.close();
    this.#mailsOfHour.close();
    const ended = this.#mailUntilSent.close();
    await this.#deps.mailer.close();
    await ended;
    await this.#deps.board.close();
  }

  async #show({ kind, endpoint, title, text, at }: News, held: HeldBack | null): Promise<void> {
    const { notifier, log } = this.#deps;
    try {
      const more = held === null ? '' : ` ${heldText(held, at)}.`;
      await notifier?.show({ kind, endpoint, title, text: `${text}${more}` });
    } catch (error) {
      log.error('a notification could not be shown', error);
    }
  }

  /** At the newest entry of its kind, and at those that wait for a mail. */
  #showMail(news: News, unsent: Undelivered | null): void {
    const { board } = this.#deps;
    const entries = board.list.filter((notice) => newsKey(notice) === newsKey(news));
    for (const [index, { id, mailAgainAt }] of entries.entries()) {
      if (index === 0 || mailAgainAt !== null) board.setMail(id, unsent); // one delivery reports all that wait
    }
  }
}
