/** An icon that nobody sees: a test emits `click` on it, or clicks in its menu. */
import { EventEmitter } from 'node:events';
import { addRecordedMethods, record } from '../record.ts';
import type { Menu } from './menu.ts';

export class Tray extends EventEmitter {
  /** Those that were not destroyed; Electron has no such list. */
  static readonly all = new Set<Tray>();
  contextMenu: Menu | null = null;
  #isDestroyed = false;

  constructor(image: unknown) {
    super();
    record('Tray', [typeof image === 'string' ? image : null]);
    addRecordedMethods(this, 'Tray', ['displayBalloon', 'popUpContextMenu', 'setImage', 'setTitle', 'setToolTip']);
    Tray.all.add(this);
  }
  setContextMenu(menu: Menu | null): void {
    this.contextMenu = menu;
  }
  destroy(): void {
    this.#isDestroyed = true;
    Tray.all.delete(this);
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
}
