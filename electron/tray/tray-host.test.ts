import { expect, test } from 'vitest';
import { hasTrayHost } from './tray-host.ts';

/** The tools of a desktop, by what they print; others are not installed. */
function tools(outputs: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const ask = async (tool: string) => {
    asked.push(tool);
    return outputs[tool] ?? '';
  };
  return { ask, asked };
}

test.each([
  ['busctl', 'b true\n'],
  ['gdbus', '(<true>,)\n'],
  [
    'dbus-send',
    'method return time=1764 sender=:1.5 -> destination=:1.9 serial=8 reply_serial=2\n   variant       boolean true\n',
  ],
])('a desktop that shows tray icons is found by %s', async (tool, output) => {
  expect(await hasTrayHost(tools({ [tool]: output }).ask)).toBe(true);
});

test.each([
  ['nobody shows them', { busctl: 'b false\n', gdbus: '(<false>,)\n', 'dbus-send': '  variant   boolean false\n' }],
  ['there is no such service', { busctl: '', gdbus: '', 'dbus-send': '' }],
  ['there is no tool', {}],
])('without a tray, since %s', async (_why, outputs) => {
  const { ask, asked } = tools(outputs);
  expect(await hasTrayHost(ask)).toBe(false);
  expect(asked).toEqual(['busctl', 'gdbus', 'dbus-send']);
});
