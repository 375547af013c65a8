import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { App } from '../../App.tsx';
import { loadPages } from '../../pages.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, sampleApp, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';

const dance = installedApp('dance', 'Dance');
const wave = installedApp('hello_wave', 'Hello wave');
const nothingFound: Answers = {
  listStore: () => ({ apps: [] }),
  listModels: () => ({ models: [] }),
  listOwnEndpoints: () => ({ endpoints: [] }),
};

beforeAll(loadPages); // their code takes seconds on a busy machine
beforeEach(() => {
  window.location.hash = '#/';
});

async function openPalette(): Promise<HTMLElement> {
  await userEvent.keyboard('{Control>}k{/Control}');
  return screen.findByRole('combobox', { name: 'Search or run' });
}
const lines = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const current = () => screen.getByRole('option', { selected: true }).textContent;

test('it opens by Ctrl+K with the pages, finds by a few letters, and opens a page by Enter', async () => {
  renderDashboard(testDashboard(nothingFound), <App />);
  const field = await openPalette();
  expect(field).toHaveFocus();
  expect(lines()).toEqual(expect.arrayContaining(['Home Ctrl 1', 'Settings Ctrl 6', 'Install an app… Ctrl O']));
  await userEvent.keyboard('setings');
  expect(lines()).toEqual(['Settings Ctrl 6']);
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByRole('combobox', { name: 'Search or run' })).toBeNull();
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toHaveFocus();
});

test('its field has the focus in the same tick, for the keys that are typed next', () => {
  renderDashboard(testDashboard(nothingFound), <App />);
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(screen.getByRole('combobox', { name: 'Search or run' })).toHaveFocus();
});

test('arrows choose, also from the last line to the first; a screen reader hears the line', async () => {
  renderDashboard(testDashboard(nothingFound), <App />);
  const field = await openPalette();
  const all = lines();
  expect(current()).toBe(all[0]);
  await userEvent.keyboard('{ArrowDown}');
  expect(current()).toBe(all[1]);
  expect(field).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id);
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(current()).toBe(all.at(-1));
});

test('the question of a removal is gone with its app, and does not come back with another of its name', async () => {
  const dashboard = testDashboard(nothingFound, { installedApps: [dance] });
  const install = (...installedApps: readonly (typeof dance)[]) =>
    act(() => dashboard.store.getState().apply({ type: 'installed-apps.changed', installedApps: [...installedApps] }));
  renderDashboard(dashboard, <App />);
  await openPalette();
  await userEvent.keyboard('remove dance{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Remove Dance' })).toBeVisible();
  install();
  expect(screen.queryByRole('dialog')).toBeNull();
  install(dance);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Escape closes it, and the focus returns', async () => {
  renderDashboard(testDashboard(nothingFound), <App />);
  const robot = screen.getByRole('link', { name: 'Robot' });
  robot.focus();
  await openPalette();
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(robot).toHaveFocus());
});

test('an app is started on its page, and stopped', async () => {
  const dashboard = testDashboard(
    { ...nothingFound, startApp: () => ({}), stopCurrentApp: () => ({}) },
    { installedApps: [dance, wave] },
  );
  renderDashboard(dashboard, <App />);
  await openPalette();
  await userEvent.keyboard('start hel{Enter}');
  expect(dashboard.calls).toContainEqual({ name: 'startApp', input: { params: { appName: 'hello_wave' } } });
  expect(await screen.findByRole('heading', { level: 1, name: 'Hello wave' })).toHaveFocus();

  act(() => dashboard.store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('hello_wave') }));
  await openPalette();
  await userEvent.keyboard('stop{Enter}');
  expect(dashboard.calls).toContainEqual({ name: 'stopCurrentApp', input: {} });
});

test('a removal is confirmed first, and a sample is installed', async () => {
  const dashboard = testDashboard(
    { ...nothingFound, installApp: () => new Promise(() => {}), getAppDisk: () => new Promise(() => {}) },
    { installedApps: [dance], sampleApps: [sampleApp('hello_wave', 'Hello wave')] },
  );
  renderDashboard(dashboard, <App />);
  await openPalette();
  await userEvent.keyboard('remove dance{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Remove Dance' });
  expect(within(dialog).getByRole('button', { name: /^Remove Dance/ })).toBeEnabled();
  await userEvent.keyboard('{Escape}');
  await openPalette();
  await userEvent.keyboard('install hello{Enter}');
  expect(dashboard.calls.at(-1)).toMatchObject({ name: 'installApp' });
});

describe('what the daemon finds', () => {
  test('is asked for after a pause, a few of each kind, and comes after the lines of the page', async () => {
    const dashboard = testDashboard({
      ...nothingFound,
      listStore: () => ({ apps: [{ id: 'ann/sett_up', title: 'Set up' }] }),
      listModels: () => ({
        models: [
          { repoId: 'acme/setter-xl', fit: { fits: false, lacksRuntime: false } },
          { repoId: 'acme/setter', fit: { fits: true, tight: false, offer: {}, place: null } },
        ],
      }),
    });
    renderDashboard(dashboard, <App />);
    await openPalette();
    await userEvent.keyboard('sett');
    expect(await screen.findByRole('option', { name: /^acme\/setter model/ })).toBeVisible();
    expect(lines()).toEqual([
      'Settings Ctrl 6',
      'Set up store',
      'acme/setter model, fits',
      'acme/setter-xl model, does not fit',
    ]);
    expect(dashboard.calls.filter(({ name }) => name === 'listStore')).toEqual([
      { name: 'listStore', input: { query: { page: 1, limit: 6, search: 'sett' }, signal: expect.any(AbortSignal) } },
    ]);
    await userEvent.click(screen.getByRole('option', { name: /^acme\/setter model/ }));
    expect(window.location.hash).toBe('#/models/acme/setter');
  });

  test('that fails is said, and hides nothing else', async () => {
    const dashboard = testDashboard({
      ...nothingFound,
      listModels: () => {
        throw new Error('no');
      },
    });
    renderDashboard(dashboard, <App />);
    await openPalette();
    await userEvent.keyboard('home');
    expect(await screen.findByText(/could not be searched/)).toBeVisible();
    expect(lines()).toContain('Home Ctrl 1');
  });
});

describe('shortcuts', () => {
  test('/ focuses the search of the page, and opens the palette where there is none', async () => {
    renderDashboard(testDashboard(), <App />);
    await userEvent.keyboard('/');
    expect(await screen.findByRole('combobox', { name: 'Search or run' })).toHaveValue('');
    await userEvent.keyboard('{Escape}');
    window.location.hash = '#/apps?tab=discover';
    const field = await screen.findByRole('textbox', { name: /search/i });
    await vi.waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search or run' })).toBeNull());
    await userEvent.keyboard('/');
    expect(field).toHaveFocus();
    await userEvent.keyboard('/?');
    expect(field).toHaveValue('/?');
  });

  test('? lists them all', async () => {
    renderDashboard(testDashboard(nothingFound), <App />);
    await userEvent.keyboard('?');
    const dialog = within(await screen.findByRole('dialog', { name: 'Shortcuts' }));
    for (const does of ['Open Models', 'Search on this page', 'Install an app from a folder']) {
      expect(dialog.getByText(does)).toBeVisible();
    }
  });

  test('where single keys are off, the list that switches them on is found in the palette', async () => {
    const dashboard = testDashboard(nothingFound);
    dashboard.store.getState().setSingleKeys(false);
    renderDashboard(dashboard, <App />);
    await userEvent.keyboard('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search or run' }), 'shortcuts{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Shortcuts' }));
    await userEvent.click(dialog.getByRole('switch', { name: 'Single keys' }));
    expect(dashboard.store.getState().singleKeys).toBe(true);
  });

  test('Ctrl+O opens the install dialog at its field; nothing else opens from there', async () => {
    renderDashboard(testDashboard(nothingFound), <App />);
    await userEvent.keyboard('{Control>}o{/Control}');
    const field = await screen.findByRole('textbox', { name: 'Address' });
    await vi.waitFor(() => expect(field).toHaveFocus());
    await userEvent.keyboard('{Control>}k{/Control}{Control>}1{/Control}');
    await userEvent.tab();
    await userEvent.keyboard('{Control>}k{/Control}?');
    expect(screen.queryByRole('combobox', { name: 'Search or run' })).toBeNull();
    expect(screen.getByRole('dialog', { name: 'Install an app' })).toBeVisible();
  });

  test('an address can name what to install; the user decides', async () => {
    window.location.hash = '#/apps?install=%2Fhome%2Fann%2Fwave';
    const dashboard = testDashboard(nothingFound);
    renderDashboard(dashboard, <App />);
    expect(await screen.findByRole('textbox', { name: 'Address' })).toHaveValue('/home/ann/wave');
    expect(screen.queryByText(/^A link suggests this app\./)).toBeNull();
    expect(dashboard.calls.map(({ name }) => name)).not.toContain('installApp');
    await userEvent.keyboard('{Escape}');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.hash).toBe('#/apps');
  });

  test.each(['', '&from=link'])(
    'an address that a link (%j) has filled in says so, until the dialog is closed',
    async (from) => {
      window.location.hash = `#/apps?install=https%3A%2F%2Fhub.example%2Fspaces%2Fann%2Fdance${from}`;
      renderDashboard(testDashboard(nothingFound), <App />);
      const field = await screen.findByRole('textbox', { name: 'Address' });
      expect(field).toHaveValue('https://hub.example/spaces/ann/dance');
      expect(screen.getByText(/^A link suggests this app\./)).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(window.location.hash).toBe('#/apps');
    },
  );

  test('Enter, pressed as an address opens the dialog, closes it and installs nothing', async () => {
    window.location.hash = '#/apps?install=%2Fhome%2Fann%2FDownloads%2Fwave';
    const dashboard = testDashboard(nothingFound);
    renderDashboard(dashboard, <App />);
    const dialog = await screen.findByRole('dialog', { name: 'Install an app' });
    await vi.waitFor(() => expect(within(dialog).getByText('Close').closest('button')).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(dashboard.calls.map(({ name }) => name)).not.toContain('installApp');
  });
});
