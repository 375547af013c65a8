/** Menus, which nobody sees: a test reaches their items and clicks them. Accelerators do not fire. */
import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions } from 'electron';
import { StandInEvent } from '../events.ts';
import { record } from '../record.ts';
import { BrowserWindow } from '../window/browser-window.ts';
import { clickRole, roleOf } from './menu-roles.ts';

type Template = readonly (MenuItemConstructorOptions | MenuItem)[];

let lastCommandId = 0;

export class MenuItem {
  readonly commandId: number;
  readonly id: string | undefined;
  readonly role: string | undefined;
  readonly type: string;
  readonly submenu: Menu | undefined;
  readonly accelerator: string | undefined;
  label: string;
  sublabel: string;
  toolTip: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  readonly #clicked: ((...args: unknown[]) => void) | undefined;

  constructor(options: MenuItemConstructorOptions) {
    lastCommandId += 1;
    this.commandId = lastCommandId;
    const role = roleOf(options.role);
    const submenu = options.submenu ?? role?.submenu;
    this.id = options.id;
    this.role = options.role?.toLowerCase();
    this.submenu = submenu instanceof Menu ? submenu : submenu && Menu.buildFromTemplate(submenu as Template);
    this.type = options.type ?? (this.submenu ? 'submenu' : 'normal');
    this.accelerator = options.accelerator ?? role?.accelerator;
    this.label = options.label ?? role?.label ?? '';
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.#clicked = options.click as ((...args: unknown[]) => void) | undefined;
  }

  /** As if a person had clicked it. */
  readonly click = (event: object = new StandInEvent(), window: BrowserWindow | null = null): void => {
    if (!this.enabled) return;
    if (this.type === 'checkbox') this.checked = !this.checked;
    if (this.type === 'radio') this.checked = true;
    if (!clickRole(this.role)) this.#clicked?.(this, window ?? BrowserWindow.getFocusedWindow(), event);
  };
}

export class Menu extends EventEmitter {
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: Template): Menu {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }
  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  append(item: MenuItem): void {
    this.items.push(item);
  }
  insert(position: number, item: MenuItem): void {
    this.items.splice(position, 0, item);
  }
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null);
      if (found) return found;
    }
    return null;
  }
  popup(): void {
    record('Menu.popup', [this.items.map(({ label }) => label)]);
  }
  closePopup(): void {}
}

let applicationMenu: Menu | null = null;
