import { EventEmitter } from 'node:events';
import { knowsOnly } from './events.ts';
import type { Menu } from './menu.ts';
import { runningChromium } from './running-chromium.ts';

/** An icon that nobody sees. A test replaces these methods to see the calls. */
export class Tray extends EventEmitter {
  /** @throws Error before the app is ready, as in Electron */
  constructor(_image: unknown) {
    super();
    runningChromium();
    knowsOnly(this, ['click']);
  }

  setContextMenu(_menu: Menu | null): void {}
  setToolTip(_text: string): void {}
}
