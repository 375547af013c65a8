import { randomUUID } from 'node:crypto';
import { type Notice, NoticeList, type NotificationsStatus } from '../contract/notifications/notifications.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { Mutex } from '../shared/async/mutex.ts';
import { NotFound } from '../shared/domain-error.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import type { News } from '../shared/news.ts';
import { withMail, withNews, withoutTries, withSeen } from './news/notice-list.ts';
import type { Undelivered } from './news/repeated-delivery.ts';

export class NoticeNotFound extends NotFound {
  constructor() {
    super('There is no such notification. It may have been cleared.');
  }
}

interface NoticeBoardDeps {
  readonly file: string;
  /** Whether a mail server is set up. */
  readonly canMail: () => boolean;
  readonly publish: Publish;
  readonly log: Logger;
}

type Change = (list: readonly Notice[]) => readonly Notice[];

/** The entries of the bell, kept on disk, newest first. */
export class NoticeBoard {
  readonly #deps: NoticeBoardDeps;
  readonly #writes = new Mutex();
  #list: readonly Notice[] = [];
  #revision = 0;
  /** A write that will include every change up to now. */
  #coming: Promise<void> | null = null;

  constructor(deps: NoticeBoardDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    const { file, log } = this.#deps;
    this.#list = withoutTries((await readPastRecords(file, NoticeList, log))?.notices ?? []);
  }

  get list(): readonly Notice[] {
    return this.#list;
  }

  get status(): NotificationsStatus {
    const unseen = this.#list.filter(({ seen }) => !seen);
    return {
      unseen: unseen.length,
      revision: this.#revision,
      newest: unseen[0] ?? null,
      canMail: this.#deps.canMail(),
    };
  }

  /** Adds news, or counts a repetition: in memory first, since they are true even if the disk is full. @returns the entry's id */
  add(news: News): string {
    this.#show((list) => withNews(list, news, randomUUID()));
    void this.#saveSoon();
    return (this.#list[0] as Notice).id;
  }

  /** Says at an entry why its mail was not sent, and when it is sent again; null: it was sent. */
  setMail(id: string, unsent: Undelivered | null): void {
    this.#show((list) => withMail(list, id, unsent));
    void this.#saveSoon();
  }

  /** @throws NoticeNotFound, StorageError */
  async markSeen(id: string): Promise<readonly Notice[]> {
    if (!this.#list.some((notice) => notice.id === id)) throw new NoticeNotFound();
    return this.#apply((list) => withSeen(list, (notice) => notice.id === id));
  }

  /** @throws StorageError */
  markAllSeen(): Promise<readonly Notice[]> {
    const known = new Set(this.#list.map(({ id }) => id));
    return this.#apply((list) => withSeen(list, ({ id }) => known.has(id)));
  }

  /** @throws StorageError */
  clear(): Promise<readonly Notice[]> {
    const gone = new Set(this.#list.map(({ id }) => id));
    return this.#apply((list) => (list.length === 0 ? list : list.filter(({ id }) => !gone.has(id))));
  }

  readonly publish = (): void => {
    this.#revision += 1;
    this.#deps.publish({ type: 'notifications.changed', notifications: this.status });
  };

  /** Waits for the writes in progress. */
  async close(): Promise<void> {
    await this.#coming;
    await this.#writes.idle();
  }

  #show(change: Change): void {
    const after = change(this.#list);
    if (after === this.#list) return;
    this.#list = after;
    this.publish();
  }

  /** Applies a person's change, on disk first. News may come in the meantime, so it is applied to them as well. */
  #apply(change: Change): Promise<readonly Notice[]> {
    return this.#writes.run(async () => {
      const before = this.#list;
      const after = change(before);
      if (after === before) return before;
      await this.#write(after);
      if (this.#list !== before) void this.#saveSoon();
      this.#show(change);
      return this.#list;
    });
  }

  /** Saves what is in memory when the writes under way are done, once for all changes until then. Never rejects. */
  #saveSoon(): Promise<void> {
    this.#coming ??= this.#writes
      .run(async () => {
        this.#coming = null;
        await this.#write(this.#list);
      })
      .catch((error: unknown) => this.#deps.log.error('the notifications could not be saved', error));
    return this.#coming;
  }

  #write(notices: readonly Notice[]): Promise<void> {
    return writeJsonFile(this.#deps.file, { notices });
  }
}
