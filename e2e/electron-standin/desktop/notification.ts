/** Notifications, which are recorded. */
import { EventEmitter } from 'node:events';
import type { NotificationConstructorOptions } from 'electron';
import { emitEvent } from '../events.ts';
import { record } from '../record.ts';

export class Notification extends EventEmitter {
  readonly title: string;
  readonly body: string;

  constructor({ title = '', body = '' }: NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    record('Notification.show', [{ title: this.title, body: this.body }]);
    emitEvent(this, 'show');
  }
  close(): void {
    emitEvent(this, 'close');
  }
}
