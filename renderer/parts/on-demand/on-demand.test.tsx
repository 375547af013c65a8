import { act, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { snapshot } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { CodeLoader, onDemand } from './on-demand.tsx';
import { PageLoading } from './PageLoading.tsx';
import { wasReloadedFor } from './PageNotLoaded.tsx';

const { daemon } = snapshot();
const answering: Answers = { getDaemonStatus: () => daemon };
const lost = { phase: 'lost', retryAt: null, lastSeen: null } as const;
const silent = { phase: 'silent', lastSeen: null } as const;
const title = () => screen.queryByRole('heading', { level: 1 })?.textContent ?? null;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
});
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Opens a page named robot, loaded by `load`. */
function open(load: () => Promise<() => React.ReactNode>, answers: Answers = answering, loader = new CodeLoader()) {
  const dashboard = testDashboard(answers);
  const reload = vi.fn();
  const { Page, preload } = onDemand('robot', load, loader, reload);
  const show = () =>
    renderDashboard(
      dashboard,
      <main tabIndex={-1}>
        <Suspense fallback={<PageLoading />}>
          <Page />
        </Suspense>
      </main>,
    );
  const { setConnection, apply } = dashboard.store.getState();
  return { ...dashboard, reload, preload, show, setConnection, apply };
}
const failing = () => Promise.reject(new TypeError('Failed to fetch module'));
const page = () => <h1 tabIndex={-1}>Robot</h1>;

test('a page that was loaded in time opens at once, without the daemon', async () => {
  const { preload, show, setConnection } = open(() => Promise.resolve(page));
  await preload();
  setConnection(lost);
  show();
  expect(title()).toBe('Robot');
});

test('a page that cannot be loaded says so, and reloads the window once the daemon is back', async () => {
  const { show, setConnection, reload } = open(failing);
  setConnection(lost);
  show();
  await pass(60_000);
  expect(title()).toBe('This page is not loaded yet');
  expect(screen.getByRole('alert')).toHaveTextContent(
    'The daemon does not answer, and this page was not opened before.The page appears by itself once the daemon answers.',
  );
  expect(reload).not.toHaveBeenCalled();
  await act(async () => setConnection({ phase: 'open' }));
  await pass(0);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the window is not reloaded while the stream has not noticed that the daemon has gone', async () => {
  let gone = true;
  const { show, reload } = open(failing, {
    getDaemonStatus: () => (gone ? Promise.reject(new TypeError('Failed to fetch')) : daemon),
  });
  show();
  await pass(3_000);
  expect(reload).not.toHaveBeenCalled();
  gone = false;
  await pass(1_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('the window is not reloaded during a command, nor under a dialog', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { show, reload, store } = open(failing, { ...answering, stopCurrentApp: () => promise });
  void store.getState().stopApp();
  show();
  await pass(3_000);
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  document.body.append(dialog);
  resolve({ state: 'free', lastRun: null });
  await pass(3_000);
  expect(reload).not.toHaveBeenCalled();
  dialog.remove();
  await pass(1_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a reload that did not help is not repeated with the same daemon, and the user may try', async () => {
  open(failing).show();
  await pass(0);
  expect(wasReloadedFor('robot', daemon.instanceId)).toBe(true);
  document.body.replaceChildren();

  const { show, reload, apply, setConnection } = open(failing);
  show();
  await pass(60_000);
  expect(reload).not.toHaveBeenCalled();
  expect(title()).toBe('This page cannot be shown');
  expect(screen.getByRole('alert')).toHaveTextContent('Failed to fetch module');
  act(() => screen.getByRole('button', { name: 'Reload' }).click());
  expect(reload).toHaveBeenCalledTimes(1);

  act(() => setConnection(lost));
  act(() => apply({ type: 'snapshot', snapshot: snapshot({ daemon: { ...daemon, instanceId: 'another start' } }) }));
  act(() => setConnection({ phase: 'open' }));
  await pass(0);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('a page that is shown after a reload gets the focus, and may cause another reload later', async () => {
  open(failing).show();
  await pass(0);
  document.body.replaceChildren();
  open(() => Promise.resolve(page)).show();
  await pass(0);
  expect(screen.getByRole('heading', { level: 1, name: 'Robot' })).toHaveFocus();
  expect(wasReloadedFor('robot', daemon.instanceId)).toBe(false);
});

test('after a page could not be loaded, the others still are', async () => {
  const loader = new CodeLoader();
  await expect(open(failing, answering, loader).preload()).rejects.toThrow('Failed to fetch module');
  open(() => Promise.resolve(page), answering, loader).show();
  await pass(0);
  expect(title()).toBe('Robot');
});

test('a page that could not be loaded is loaded again the next time that it is opened', async () => {
  const load = vi.fn<() => Promise<typeof page>>(failing);
  const { preload, show, setConnection } = open(load);
  await preload().catch(() => {});
  setConnection(lost);
  const { unmount } = show();
  await pass(60_000);
  expect([title(), load.mock.calls.length]).toEqual(['This page is not loaded yet', 2]);
  load.mockResolvedValue(page);
  unmount();
  show();
  await pass(0);
  expect([title(), load.mock.calls.length]).toEqual(['Robot', 3]);
});

test('a style sheet that failed is loaded again before the next page, which would else appear without its styles', async () => {
  const sheets = () => [...document.head.querySelectorAll<HTMLLinkElement>('link[href$="/shared.css"]')];
  onTestFinished(() => {
    for (const sheet of sheets()) sheet.remove();
  });
  const loader = new CodeLoader();
  const failed = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/shared.css' });
  document.head.append(failed);
  failed.dispatchEvent(new Event('error'));

  const load = vi.fn(() => Promise.resolve('page'));
  const first = loader.load(load);
  sheets().at(-1)?.dispatchEvent(new Event('error'));
  await expect(first).rejects.toThrow(/shared\.css/);
  const loads = Promise.all([loader.load(load), loader.load(load)]);
  expect([sheets().length, load.mock.calls.length]).toEqual([2, 0]);
  sheets().at(-1)?.dispatchEvent(new Event('load'));
  expect(await loads).toEqual(['page', 'page']);
  await loader.load(load);
  expect([sheets().length, load.mock.calls.length]).toEqual([2, 3]);
});

test('a page that takes its time says what it waits for, and that the daemon does not answer', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof page>();
  const { show, setConnection } = open(() => promise);
  show();
  await pass(900);
  expect(screen.queryByText(/Waiting/)).toBeNull();
  await pass(200);
  expect(screen.getByText('Waiting for the daemon to send this page…')).toBeVisible();
  act(() => setConnection(silent));
  expect(title()).toBe('This page is not loaded yet');
  expect(screen.getByRole('alert')).toHaveTextContent('The daemon does not answer');
  resolve(page);
  await pass(0);
  expect(title()).toBe('Robot');
});

test('a tab that can keep nothing leaves the reload to the user', async () => {
  const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  const { show, reload } = open(failing);
  show();
  await pass(5_000);
  expect(reload).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeEnabled();
  refuse.mockRestore();
});
