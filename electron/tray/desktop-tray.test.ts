import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeTray } from '../testing/fake-tray.ts';
import { DesktopTray, type DesktopTrayDeps } from './desktop-tray.ts';
import type { TrayAction, TrayItem } from './tray-items.ts';

const items: TrayItem[] = [
  { label: 'No app runs', action: null },
  'separator',
  { label: 'Stop Salt & pepper', action: { does: 'stop-app' } },
];

function someTray(more: Partial<DesktopTrayDeps> = {}) {
  const icon = new FakeTray();
  const acted: TrayAction[] = [];
  const tray = new DesktopTray({
    openIcon: () => icon,
    hasHost: async () => true,
    act: (action) => acted.push(action),
    opensByClick: false,
    desktopName: '',
    ...more,
  });
  return { tray, icon, acted };
}

test('an item acts when it is chosen; one that only tells something is disabled', () => {
  const { tray, icon, acted } = someTray();
  tray.open();
  tray.show(items, 'tip');
  expect(icon.labels).toEqual(['No app runs (disabled)', '—', 'Stop Salt && pepper']);
  icon.choose('Stop Salt && pepper');
  expect(acted).toEqual([{ does: 'stop-app' }]);
});

test('the menu is set again after a change, and only then', () => {
  const { tray, icon } = someTray();
  tray.open();
  tray.show(items, 'tip');
  tray.show(structuredClone(items), 'tip');
  expect([icon.menus, icon.toolTips]).toEqual([1, ['tip']]);
  tray.show([...items, 'separator'], 'other');
  expect([icon.menus, icon.toolTips]).toEqual([2, ['tip', 'other']]);
});

test('a click on the icon opens the window where that is usual', () => {
  const { tray, icon, acted } = someTray({ opensByClick: true });
  tray.open();
  icon.click();
  expect(acted).toEqual([{ does: 'open' }]);
});

test('a system that cannot make an icon is told in a sentence, and everything else works', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const openIcon = () => {
    throw new Error('no tray');
  };
  const { tray } = someTray({ openIcon });
  tray.open();
  tray.show(items, 'tip');
  expect(await tray.problem()).toBe('This desktop shows no tray icons, so closing the window quits.');
  expect(logged).toHaveBeenCalledOnce();
});

test('an icon that nobody shows is told in a sentence, on GNOME with what to do', async () => {
  const hasHost = async () => false;
  const { tray } = someTray({ hasHost, desktopName: 'ubuntu:GNOME' });
  tray.open();
  expect(await tray.problem()).toBe(
    'This desktop shows no tray icons, so closing the window quits. An extension for app indicators adds them.',
  );
});

test('whether it is shown is looked at each time', async () => {
  let isShown = false;
  const { tray } = someTray({ hasHost: async () => isShown });
  tray.open();
  expect(await tray.problem()).not.toBeNull();
  isShown = true;
  expect(await tray.problem()).toBeNull();
});
