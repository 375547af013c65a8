import type { MenuItemConstructorOptions } from 'electron';

/** An item that a test can click. */
class MenuItem {
  readonly label: string;
  readonly enabled: boolean;
  readonly submenu: Menu | undefined;
  readonly #options: MenuItemConstructorOptions;

  constructor(options: MenuItemConstructorOptions) {
    const { label = '', enabled = true, submenu } = options;
    this.label = label;
    this.enabled = enabled;
    this.submenu = submenu && Menu.buildFromTemplate(submenu as MenuItemConstructorOptions[]);
    this.#options = options;
  }

  click(): void {
    const { role, click } = this.#options;
    if (role) throw new Error(`The Electron stand-in does nothing for the role '${role}'.`);
    (click as (() => void) | undefined)?.();
  }
}

/** Menus are not shown, and accelerators do nothing. */
export class Menu {
  static #applicationMenu: Menu | null = null;
  readonly items: readonly MenuItem[];

  private constructor(items: readonly MenuItem[]) {
    this.items = items;
  }

  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): Menu {
    return new Menu(template.map((options) => new MenuItem(options)));
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#applicationMenu = menu;
  }
  static getApplicationMenu(): Menu | null {
    return Menu.#applicationMenu;
  }
}
