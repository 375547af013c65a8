/** Chromium's DevTools protocol over two pipes: Chromium ends when they close, so it cannot outlive its parent. */
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from '@playwright/test';

/** A conversation with the browser, or with one of the processes of a page. */
export interface DevToolsSession {
  readonly send: CDPSession['send'];
  /** For commands whose page may be gone already: nobody hears of that. */
  readonly tell: (...command: Parameters<CDPSession['send']>) => void;
  readonly on: CDPSession['on'];
}

interface Answer {
  readonly id: number;
  readonly result: unknown;
  readonly error?: { readonly message: string };
}
interface Notice {
  readonly method: string;
  readonly params: { readonly sessionId?: string };
  readonly sessionId?: string;
}
interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class DevToolsPipe {
  readonly browser: DevToolsSession;
  readonly #toBrowser: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string | undefined, EventEmitter>();
  #lastId = 0;
  #closed = false;

  constructor(toBrowser: Writable, fromBrowser: Readable) {
    this.#toBrowser = toBrowser;
    this.browser = this.session(undefined);
    let unread = '';
    fromBrowser.setEncoding('utf8').on('data', (text: string) => {
      const messages = (unread + text).split('\0');
      unread = messages.pop() ?? '';
      for (const message of messages) this.#receive(JSON.parse(message) as Answer | Notice);
    });
    fromBrowser.once('close', () => this.#end());
    toBrowser.on('error', () => this.#end()); // EPIPE: it has ended
  }

  session(id: string | undefined): DevToolsSession {
    const listeners = new EventEmitter().setMaxListeners(0);
    this.#listeners.set(id, listeners);
    const send = (method: string, params: object = {}) => this.#send(method, params, id);
    return {
      send: send as CDPSession['send'],
      tell: (method, params) => void send(method, params).catch(() => {}),
      on: listeners.on.bind(listeners) as unknown as CDPSession['on'],
    };
  }

  #send(method: string, params: object, sessionId: string | undefined): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error(`${method}: Chromium has ended`));
    this.#lastId += 1;
    const id = this.#lastId;
    this.#toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const named = (error: Error) => reject(new Error(`${method}: ${error.message}`));
      this.#waiting.set(id, { resolve, reject: named });
    });
  }

  #receive(message: Answer | Notice): void {
    if ('id' in message) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result);
      return;
    }
    this.#listeners.get(message.sessionId)?.emit(message.method, message.params);
    if (message.method === 'Target.detachedFromTarget') this.#listeners.delete(message.params.sessionId);
  }

  #end(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) reject(new Error('Chromium has ended'));
    this.#waiting.clear();
  }
}
