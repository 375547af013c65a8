import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ScrollMemory } from './scroll-memory.ts';

/** jsdom has no layout: the element is as long as the test says. */
function page(): { main: HTMLElement; length: (px: number) => void } {
  const main = document.createElement('main');
  let most = 1_000;
  let top = 0;
  Object.defineProperty(main, 'scrollTop', {
    get: () => Math.min(top, most),
    set: (value: number) => {
      top = Math.min(value, most);
      main.dispatchEvent(new Event('scroll'));
    },
  });
  main.innerHTML = '<a href="#/apps/store/anna/dance">Dance</a>';
  document.body.append(main);
  return { main, length: (px) => (most = px) };
}

let stop = () => {};
beforeEach(() => {
  window.history.replaceState(null, '', '#/apps?tab=discover');
  sessionStorage.clear();
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

const moved = () => new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
async function goTo(hash: string): Promise<void> {
  const done = moved();
  window.location.hash = hash;
  await done;
}
async function back(): Promise<void> {
  const done = moved();
  window.history.back();
  await done;
}

test('Back comes back to where the user was, and to the link that led away', async () => {
  const { main } = page();
  const memory = new ScrollMemory(main);
  stop = memory.start();
  main.scrollTop = 640;
  main.querySelector('a')?.focus();
  await goTo('#/apps/store/anna/dance');
  memory.arrive();
  expect(main.scrollTop).toBe(0);
  await back();
  memory.arrive();
  await vi.waitFor(() => expect(main.scrollTop).toBe(640));
  expect(main.querySelector('a')).toHaveFocus();
});

test('a list that is still loading is waited for; the user may take over meanwhile', async () => {
  const { main, length } = page();
  const memory = new ScrollMemory(main);
  stop = memory.start();
  main.scrollTop = 640;
  await goTo('#/robot');
  memory.arrive();
  length(100);
  await back();
  await vi.waitFor(() => expect(main.scrollTop).toBe(100));
  length(1_000);
  await vi.waitFor(() => expect(main.scrollTop).toBe(640));

  await goTo('#/robot');
  memory.arrive();
  length(100);
  await back();
  main.dispatchEvent(new Event('wheel'));
  main.scrollTop = 40;
  length(1_000);
  for (let later = 0; later < 3; later++) await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(main.scrollTop).toBe(40);
});

test('a reload comes back there too', async () => {
  const first = page();
  const memory = new ScrollMemory(first.main);
  const end = memory.start();
  first.main.scrollTop = 320;
  window.dispatchEvent(new Event('pagehide'));
  end();
  document.body.replaceChildren();
  const { main } = page();
  stop = new ScrollMemory(main).start();
  await vi.waitFor(() => expect(main.scrollTop).toBe(320));
});

test('a place that cannot be read is no place', () => {
  sessionStorage.setItem('places', '{"a": 1}');
  const { main } = page();
  stop = new ScrollMemory(main).start();
  expect(main.scrollTop).toBe(0);
});
