import { beforeEach, expect, test } from 'vitest';
import { returnAfterSignIn } from './return-page.ts';

let now = 1_000_000;
beforeEach(() => {
  now = 1_000_000;
  window.localStorage.clear();
});

/** A tab of the browser, opened at a hash. */
function openTab(hash: string) {
  const events = new EventTarget();
  const location = { hash };
  const page = {
    location,
    history: { replaceState: (_: unknown, __: string, to: string) => void Object.assign(location, { hash: to }) },
    localStorage: window.localStorage,
    addEventListener: events.addEventListener.bind(events),
    document: { addEventListener: events.addEventListener.bind(events) },
  };
  returnAfterSignIn(page as unknown as Window, () => now);
  return {
    hash: () => location.hash,
    go(to: string) {
      location.hash = to;
      events.dispatchEvent(new Event('hashchange'));
    },
    leave: () => events.dispatchEvent(new Event('blur')),
  };
}

test('after a sign-in the browser is back at the page it was at, with its search', () => {
  const tab = openTab('#/');
  tab.go('#/models/anna/big-model?search=a+b&page=3');
  expect(openTab('#/signed-in').hash()).toBe('#/models/anna/big-model?search=a+b&page=3');
});

test('a failed sign-in in between does not change that', () => {
  openTab('#/').go('#/models?search=qwen');
  openTab('#/settings?sign-in=failed');
  expect(openTab('#/signed-in').hash()).toBe('#/models?search=qwen');
});

test('a page that was shown for hours and then left is returned to; one left hours ago is not', () => {
  const tab = openTab('#/models');
  now += 5 * 3_600_000;
  tab.leave();
  now += 60_000;
  expect(openTab('#/signed-in').hash()).toBe('#/models');
  now += 2 * 3_600_000;
  expect(openTab('#/signed-in').hash()).toBe('#/');
});

test.each([
  '',
  'null',
  '{"hash":',
  '{"hash":"https://evil.test/","leftAt":1000000}',
  '{"hash":7,"leftAt":1000000}',
  '{"hash":"#/signed-in","leftAt":1000000}',
])('anything else in the storage leads to Home: %s', (stored) => {
  window.localStorage.setItem('robot-desktop.last-page', stored);
  expect(openTab('#/signed-in').hash()).toBe('#/');
});

test('other addresses are left alone', () => {
  openTab('#/').go('#/models');
  expect(openTab('#/apps?tab=discover').hash()).toBe('#/apps?tab=discover');
});
