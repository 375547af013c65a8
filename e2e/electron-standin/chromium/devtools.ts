/** Chromium's DevTools protocol over two pipes. A message is JSON, ended by a null character. */
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from '@playwright/test';

/** Sends commands to the browser, or to one process of a page, and receives its events. */
export interface DevToolsSession {
  readonly send: CDPSession['send'];
  /** Ignores failures: for commands to a page that may be gone. */
  readonly trySend: (...command: Parameters<CDPSession['send']>) => void;
  readonly on: CDPSession['on'];
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: unknown;
  readonly sessionId?: string;
}

export class DevTools {
  readonly browser: DevToolsSession;
  /** Settles when Chromium has closed the pipe, which it does when it ends. */
  readonly closed: Promise<void>;
  readonly #toBrowser: Writable;
  readonly #events = new Map<string | undefined, EventEmitter>();
  readonly #pending = new Map<number, (reply: Message) => void>();
  #lastId = 0;
  #isClosed = false;

  constructor(toBrowser: Writable, fromBrowser: Readable) {
    this.#toBrowser = toBrowser;
    this.browser = this.session(undefined);
    toBrowser.on('error', () => {}); // EPIPE: the other pipe closes too
    this.closed = new Promise((resolve) => {
      fromBrowser.once('close', () => {
        this.#isClosed = true;
        for (const settle of this.#pending.values()) settle({ error: { message: 'Chromium has ended' } });
        resolve();
      });
    });
    let unread = '';
    fromBrowser.setEncoding('utf8').on('data', (text: string) => {
      const messages = (unread + text).split('\0');
      unread = messages.pop() ?? '';
      for (const message of messages) this.#receive(JSON.parse(message) as Message);
    });
  }

  /** @param id of a page's session; undefined for the browser's */
  session(id: string | undefined): DevToolsSession {
    const events = new EventEmitter();
    this.#events.set(id, events);
    const send = (method: string, params: object = {}) => this.#send({ method, params, sessionId: id });
    return {
      send: send as CDPSession['send'],
      trySend: (method, params) => void send(method, params).catch(() => {}),
      on: events.on.bind(events) as unknown as CDPSession['on'],
    };
  }

  async #send(command: object): Promise<unknown> {
    if (this.#isClosed) throw new Error('Chromium has ended');
    this.#lastId += 1;
    const id = this.#lastId;
    this.#toBrowser.write(`${JSON.stringify({ id, ...command })}\0`);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
    });
  }

  #receive(message: Message): void {
    if (message.id === undefined) {
      this.#events.get(message.sessionId)?.emit(message.method ?? '', message.params);
      return;
    }
    this.#pending.get(message.id)?.(message);
    this.#pending.delete(message.id);
  }
}
