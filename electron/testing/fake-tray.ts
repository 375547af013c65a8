import type { MenuItemConstructorOptions } from 'electron';
import type { HostTray } from '../tray/desktop-tray.ts';

/** An icon in the tray of the fake Electron. */
export class FakeTray implements HostTray {
  /** How often the menu was set. */
  menus = 0;
  readonly toolTips: string[] = [];
  #menu: readonly MenuItemConstructorOptions[] = [];
  #onClick = (): void => {};

  setMenu(template: MenuItemConstructorOptions[]): void {
    this.menus += 1;
    this.#menu = template;
  }
  setToolTip(text: string): void {
    this.toolTips.push(text);
  }
  onClick(listener: () => void): void {
    this.#onClick = listener;
  }

  /** The items of the menu as people read them. */
  get labels(): string[] {
    return this.#menu.map(({ type, label = '', enabled = true }) =>
      type === 'separator' ? '—' : `${label}${enabled ? '' : ' (disabled)'}`,
    );
  }
  click(): void {
    this.#onClick();
  }
  /** Chooses an item of the menu by its label. */
  choose(label: string): void {
    const item = this.#menu.find((each) => each.label === label);
    if (!item?.click) throw new Error(`The tray's menu has no "${label}"`);
    (item.click as () => void)();
  }
}
