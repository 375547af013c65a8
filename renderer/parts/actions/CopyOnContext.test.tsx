import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ownCommands } from '../../../daemon/client/command-words.ts';
import type { TerminalCall } from '../../../daemon/contract/daemon.ts';
import { type TestDashboard, testDashboard } from '../../testing/fake-daemon.ts';
import { snapshot } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { DescribedSwitch } from '../forms/DescribedSwitch.tsx';
import { SendButton } from './buttons.tsx';
import { callAction } from './CopyMenu.tsx';

const terminal: TerminalCall = { program: ['robot-daemon'], dataDir: null, shell: 'posix' };
const onTerminal = (answers = {}): TestDashboard =>
  testDashboard(answers, { daemon: { ...snapshot().daemon, terminal } });
const items = () => screen.queryAllByRole('menuitem').map(({ textContent }) => textContent);

test('the context menu of a button copies the call that a press of it makes', async () => {
  const user = userEvent.setup(); // with a clipboard
  const dashboard = onTerminal({ removeModelFile: () => ({}) });
  renderDashboard(
    dashboard,
    <SendButton
      commandKey="model-file wave"
      sends={(call) => call('removeModelFile', { params: { fileId: 'tiny model' } })}
    >
      Remove it
    </SendButton>,
  );
  const button = screen.getByRole('button', { name: 'Remove it' });
  fireEvent.contextMenu(button);
  expect(dashboard.calls).toEqual([]);
  expect(items()).toEqual(['Copy as command', 'Copy as request']);
  expect(screen.getByRole('menu')).toHaveAccessibleName('Copy “Remove it”');
  expect(screen.getByRole('menuitem', { name: 'Copy as command' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await navigator.clipboard.readText()).toBe("robot-daemon model rm 'tiny model'");
  await user.keyboard('{ArrowDown}{Enter}');
  expect(await navigator.clipboard.readText()).toMatch(/^curl .*-X DELETE .*\/api\/model-files\/tiny%20model/);
  await user.keyboard('{Escape}');
  expect(items()).toEqual([]);
  expect(button).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(dashboard.calls).toEqual([{ name: 'removeModelFile', input: { params: { fileId: 'tiny model' } } }]);
});

test('the menu is gone once the focus is elsewhere, and a button without an action keeps the menu of the browser', async () => {
  renderDashboard(
    onTerminal(),
    <>
      <SendButton copies={callAction('Wake', 'wakeUpRobot')}>Wake</SendButton>
      <SendButton>Open…</SendButton>
    </>,
  );
  const [wake, opens] = [screen.getByRole('button', { name: 'Wake' }), screen.getByRole('button', { name: 'Open…' })];
  expect(fireEvent.contextMenu(wake), 'the menu of the browser').toBe(false);
  expect(items()).toHaveLength(2);
  await userEvent.click(opens);
  expect(items()).toEqual([]);
  expect(fireEvent.contextMenu(opens), 'the menu of the browser').toBe(true);
});

test('where nothing can be copied, the menu of the browser opens', () => {
  renderDashboard(
    testDashboard(), // its terminal has no command
    <SendButton copies={{ title: 'Sign in', command: ownCommands.signIn, request: null }}>Show a code</SendButton>,
  );
  expect(fireEvent.contextMenu(screen.getByRole('button', { name: 'Show a code' }))).toBe(true);
  expect(items()).toEqual([]);
});

test('the menu closes when its button scrolls away, and not when another part of the page scrolls', () => {
  renderDashboard(
    onTerminal(),
    <>
      <div data-testid="around">
        <SendButton copies={callAction('Wake', 'wakeUpRobot')}>Wake</SendButton>
      </div>
      <div data-testid="output" />
    </>,
  );
  fireEvent.contextMenu(screen.getByRole('button', { name: 'Wake' }));
  fireEvent.scroll(screen.getByTestId('output'));
  expect(items()).toHaveLength(2);
  fireEvent.scroll(screen.getByTestId('around'));
  expect(items()).toEqual([]);
});

test('the context menu of a switch copies what switching it does now, and gives the focus back to the switch', async () => {
  const user = userEvent.setup();
  renderDashboard(
    onTerminal(),
    <DescribedSwitch
      name="Use the card"
      isOn
      onSwitch={() => {}}
      copies={callAction('Switch', 'switchGraphicsCards', { body: { isOn: false } })}
    >
      Models run faster.
    </DescribedSwitch>,
  );
  const control = screen.getByRole('switch', { name: 'Use the card' });
  fireEvent.contextMenu(control);
  await user.keyboard('{Enter}');
  expect(await navigator.clipboard.readText()).toBe('robot-daemon graphics-card off');
  await user.keyboard('{Escape}');
  expect(control).toHaveFocus();
});
