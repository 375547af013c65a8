/** The daemon of the window is restarted from its settings, which name what stops first. */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fixtureApp } from '../../daemon/testing/daemon/test-daemon.ts';
import { expectAccessible } from '../accessible.ts';
import { byKeyboard, byMouse } from '../hands.ts';
import { expect, startDesktop, test } from './desktop.ts';
import { robotStates } from './robot-states.ts';

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`it stops the app, folds the robot and starts the program again, once its user agrees, ${name}`, async ({
    dataDir,
  }) => {
    const desktop = await startDesktop(dataDir);
    const { app, page, url, exited } = desktop;
    const hand = handOn(page);
    const output = text(app.process().stdout as Readable);
    // A second program would outlive the test.
    await app.evaluate(({ app: it }) => {
      it.relaunch = () => console.log('event: relaunch');
    });
    expect(await desktop.install(fixtureApp('polite'))).toMatchObject({ state: 'done' });
    await desktop.call('startApp', { params: { appName: 'polite' } });
    await expect.poll(async () => (await desktop.slot()).state).toBe('running');

    await page.goto(`${url}/#/settings`);
    const section = page.getByRole('region', { name: 'Restart' });
    const ask = section.getByRole('button', { name: 'Restart the daemon…' });
    const dialog = page.getByRole('dialog', { name: 'Restart the daemon' });
    await hand.press(ask);
    await expect(dialog.getByRole('list', { name: 'What stops' })).toContainText('Polite stops.');
    await expectAccessible(page, 'desktop-restart');
    await hand.press(dialog.getByRole('button', { name: 'Keep it running' }));
    await expect(dialog).toHaveCount(0);
    await hand.expectFocus(ask);
    expect((await desktop.slot()).state).toBe('running');

    const states = robotStates(desktop);
    await hand.press(ask);
    const agree = dialog.getByRole('button', { name: 'Restart the daemon' });
    await hand.press(agree).catch(() => {}); // the page may be gone before the hand has looked at it
    expect(await exited).toBe(0);
    expect((await states).at(-1)).toBe('asleep');
    expect(await output).toContain('event: relaunch');
  });
}
