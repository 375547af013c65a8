import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const [script] = Object.values(import.meta.glob('./public/load-again.js'));

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  document.head.replaceChildren();
  document.body.replaceChildren();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs the script as index.html does. */
async function load(): Promise<{ readonly reload: () => void; readonly lose: (part: HTMLElement) => void }> {
  const reload = vi.fn();
  let onError: (event: Pick<Event, 'target'>) => void = () => {};
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('addEventListener', (_type: string, listener: typeof onError) => {
    onError = listener;
  });
  vi.resetModules();
  await script?.();
  return {
    reload,
    lose(part) {
      onError({ target: part });
      vi.runAllTimers();
    },
  };
}

/** A root as index.html has it, or as the dashboard leaves it. */
function addRoot(isStarting: boolean): void {
  document.body.innerHTML = `<div id="root"><div class="frame"${isStarting ? ' data-starting' : ''}></div></div>`;
}

const part = (tag: 'script' | 'link' | 'img', attributes: Readonly<Record<string, string>> = {}) =>
  Object.assign(document.createElement(tag), attributes);

test.each([
  ['a script', part('script')],
  ['a style sheet', part('link', { rel: 'stylesheet' })],
])('%s that is lost before the dashboard has started loads the page again, once', async (_name, lost) => {
  const { reload, lose } = await load();
  addRoot(true);
  lose(lost);
  lose(lost);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('so does one that is lost before the browser has read the frame', async () => {
  const { reload, lose } = await load();
  lose(part('script'));
  expect(reload).toHaveBeenCalledTimes(1);
});

test.each([
  ['once the dashboard has started', false, part('script')],
  ['for a picture', true, part('img')],
  ['for a font, without which the dashboard starts', true, part('link', { rel: 'preload', as: 'font' })],
])('nothing is loaded again %s', async (_name, isStarting, lost) => {
  const { reload, lose } = await load();
  addRoot(isStarting);
  lose(lost);
  expect(reload).not.toHaveBeenCalled();
});
