import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDialogOnBack } from './back-closes-dialog.ts';
import { nameEntry } from './history-entry.ts';

let end = () => {};
beforeEach(() => {
  window.history.replaceState(null, '', '#/apps');
  nameEntry(null);
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

const moved = () => new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));

async function back(): Promise<void> {
  const done = moved();
  window.history.back();
  await done;
}

/** Goes on to a page, which is named as in the dashboard. */
async function goTo(hash: string): Promise<void> {
  const done = moved();
  window.location.hash = hash;
  await done;
  nameEntry('#/apps');
  await new Promise((resolve) => setTimeout(resolve));
}

/** Opens a dialog that its key closes, with the focus inside. */
function openDialog(): HTMLElement {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  dialog.append(document.createElement('button'));
  dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.remove());
  document.body.append(dialog);
  dialog.querySelector('button')?.focus();
  return dialog;
}

test('Back closes the dialog and stays on the page', () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  end = closeDialogOnBack();
  const goes = (navigationType: string) => {
    const navigate = Object.assign(new Event('navigate', { cancelable: true }), { navigationType });
    return navigation.dispatchEvent(navigate);
  };
  const dialog = openDialog();
  expect([goes('push'), dialog.isConnected]).toEqual([true, true]);
  expect([goes('traverse'), dialog.isConnected]).toEqual([false, false]);
  expect(goes('traverse')).toBe(true);
});

test('it does so too in a browser that tells of Back only once it is done, and the page does not notice', async () => {
  end = closeDialogOnBack();
  await goTo('#/apps/dance');
  const { state } = window.history;
  const dialog = openDialog();
  const noticed = vi.fn();
  window.addEventListener('popstate', noticed);
  await back();
  window.removeEventListener('popstate', noticed);
  expect(noticed).not.toHaveBeenCalled();
  expect(dialog.isConnected).toBe(false);
  expect([window.location.hash, window.history.state]).toEqual(['#/apps/dance', state]);

  await back();
  expect(window.location.hash).toBe('#/apps');
});

test('there, a link in the dialog leads on', async () => {
  end = closeDialogOnBack();
  await goTo('#/apps/dance');
  const dialog = openDialog();
  await goTo('#/models');
  expect([window.location.hash, dialog.isConnected]).toEqual(['#/models', true]);
});

test('there, a late event of the address that is shown leaves the dialog open', () => {
  end = closeDialogOnBack();
  const dialog = openDialog();
  window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }));
  expect(dialog.isConnected).toBe(true);
});
