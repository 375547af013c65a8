import { isDeepStrictEqual } from 'node:util';
import type { MenuItemConstructorOptions } from 'electron';
import { errorText } from '../../daemon/shared/logger.ts';
import type { TrayAction, TrayItem } from './tray-items.ts';

/** The part of Electron's tray icon that the program needs. */
export interface HostTray {
  /** Replaces the menu. Linux's desktops do not notice a change within one. */
  setMenu(template: MenuItemConstructorOptions[]): void;
  setToolTip(text: string): void;
  /** Not on every desktop: those of Linux may open the menu instead. */
  onClick(listener: () => void): void;
}

export interface DesktopTrayDeps {
  /** @throws Error where the system has no tray */
  readonly openIcon: () => HostTray;
  /** Whether something shows the icon. */
  readonly hasHost: () => Promise<boolean>;
  /** Called when an item is chosen. */
  readonly act: (action: TrayAction) => void;
  /** Whether a click on the icon opens the window, as is usual on Windows; elsewhere it opens the menu. */
  readonly opensByClick: boolean;
  /** The name of the desktop, `XDG_CURRENT_DESKTOP`. */
  readonly desktopName: string;
}

/** The program's icon in the tray, if the desktop has one. */
export class DesktopTray {
  readonly #deps: DesktopTrayDeps;
  /** Kept: Electron removes an icon that nobody refers to. */
  #icon: HostTray | null = null;
  #items: readonly TrayItem[] = [];
  #toolTip = '';

  constructor(deps: DesktopTrayDeps) {
    this.#deps = deps;
  }

  /** Shows the icon. Never throws: without a tray the program works too. */
  open(): void {
    const { openIcon, opensByClick, act } = this.#deps;
    try {
      this.#icon = openIcon();
      if (opensByClick) this.#icon.onClick(() => act({ does: 'open' }));
    } catch (error) {
      console.error(errorText(error));
    }
  }

  /** Sets the menu if it differs from the last one: a menu that is open closes when it is set. */
  show(items: readonly TrayItem[], toolTip: string): void {
    if (toolTip !== this.#toolTip) this.#icon?.setToolTip(toolTip);
    this.#toolTip = toolTip;
    if (isDeepStrictEqual(items, this.#items)) return;
    this.#items = items;
    this.#icon?.setMenu(items.map((item) => this.#template(item)));
  }

  /** Looks whether the icon is shown now. @returns why it is not, in a sentence; null: it is */
  async problem(): Promise<string | null> {
    if (this.#icon !== null && (await this.#deps.hasHost())) return null;
    const isGnome = /\bGNOME\b/i.test(this.#deps.desktopName);
    const what = 'This desktop shows no tray icons, so closing the window quits.';
    return isGnome ? `${what} An extension for app indicators adds them.` : what;
  }

  #template(item: TrayItem): MenuItemConstructorOptions {
    if (item === 'separator') return { type: 'separator' };
    const { label: text, action } = item;
    const label = text.replaceAll('&', '&&'); // a single one marks the key of an item
    return action === null ? { label, enabled: false } : { label, click: () => this.#deps.act(action) };
  }
}
