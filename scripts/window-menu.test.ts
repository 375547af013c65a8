import { expect, test } from 'vitest';
import { pages } from '../daemon/contract/dashboard-pages.ts';
import { menuTemplate } from '../electron/menu.ts';
import { hrefOf } from '../renderer/navigation/route.ts';

test('the menu and the dashboard have the same pages under the same keys', () => {
  const shown: string[] = [];
  const nothing = () => {};
  const actions = {
    show: (hash: string) => void shown.push(hash),
    installFolder: nothing,
    chooseModelFile: nothing,
    stopApp: nothing,
    openInBrowser: nothing,
    showDataFolder: nothing,
  };
  for (const isMac of [true, false]) {
    const menu = menuTemplate({ isMac, isPackaged: true }, actions).find(({ label }) => label === '&Go');
    const items = Array.isArray(menu?.submenu) ? menu.submenu : [];
    expect(
      items.map(({ label, accelerator, registerAccelerator }) => [label, accelerator, registerAccelerator]),
    ).toEqual(pages.map(({ label }, index) => [label, `CmdOrCtrl+${index + 1}`, false]));
    for (const { click } of items) (click as () => void)();
    expect(shown.splice(0)).toEqual(pages.map(({ page }) => hrefOf(page)));
  }
});
