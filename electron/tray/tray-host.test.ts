import { expect, test } from 'vitest';
import { TrayHost } from './tray-host.ts';

/** The tools of a desktop, by what they print; others are not installed. One that prints null hangs. */
function tools(outputs: Record<string, string | null>) {
  const asked: string[] = [];
  const ask = async (tool: string) => {
    asked.push(tool);
    const output = outputs[tool];
    return output === null ? new Promise<never>(() => {}) : (output ?? '');
  };
  return { host: new TrayHost(ask), asked, outputs };
}

const all = ['busctl', 'gdbus', 'dbus-send'];

test.each([
  ['busctl', 'b true\n'],
  ['gdbus', '(<true>,)\n'],
  [
    'dbus-send',
    'method return time=1764 sender=:1.5 -> destination=:1.9 serial=8 reply_serial=2\n   variant       boolean true\n',
  ],
])('a desktop that shows tray icons is found by %s', async (tool, output) => {
  expect(await tools({ [tool]: output }).host.isThere()).toBe(true);
});

test.each([
  ['nobody shows them', { busctl: 'b false\n', gdbus: '(<false>,)\n', 'dbus-send': '  variant   boolean false\n' }],
  ['there is no such service', { busctl: '', gdbus: '', 'dbus-send': '' }],
  ['there is no tool', {}],
])('without a tray, since %s', async (_why, outputs) => {
  const { host, asked } = tools(outputs);
  expect(await host.isThere()).toBe(false);
  expect(asked).toEqual(all);
});

test('a tool that hangs holds up none that answers, and then only that one is asked', async () => {
  const { host, asked } = tools({ busctl: null, gdbus: '(<true>,)\n' });
  expect([await host.isThere(), await host.isThere()]).toEqual([true, true]);
  expect(asked).toEqual([...all, 'gdbus']);
});

test('the tool that answered is asked again whether the tray is still there', async () => {
  const { host, outputs } = tools({ busctl: 'b true\n' });
  expect(await host.isThere()).toBe(true);
  outputs['busctl'] = 'b false\n';
  expect(await host.isThere()).toBe(false);
});

test('once the tool that answered is silent, all are asked the next time', async () => {
  const { host, asked, outputs } = tools({ busctl: 'b true\n' });
  await host.isThere();
  outputs['busctl'] = '';
  outputs['gdbus'] = '(<true>,)\n';
  expect([await host.isThere(), await host.isThere()]).toEqual([false, true]);
  expect(asked).toEqual([...all, 'busctl', ...all]);
});
