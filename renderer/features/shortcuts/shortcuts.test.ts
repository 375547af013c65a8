import { fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Keys, mayAct, shortcutOf } from './shortcuts.ts';

const keys = (key: string, held: Partial<Keys> = {}): Keys => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('combinations', () => {
  test.each<[Keys, ReturnType<typeof shortcutOf>]>([
    [keys('1', { ctrlKey: true }), { does: 'open-page', page: 'home' }],
    [keys('6', { metaKey: true }), { does: 'open-page', page: 'settings' }],
    [keys('&', { ctrlKey: true, code: 'Digit1' }), { does: 'open-page', page: 'home' }], // AZERTY
    [keys('7', { ctrlKey: true }), null],
    [keys('1', { ctrlKey: true, shiftKey: true }), null],
    [keys('1', { ctrlKey: true, altKey: true }), null], // AltGr
    [keys('1'), null],
    [keys('k', { ctrlKey: true }), { does: 'open-palette' }],
    [keys('K', { metaKey: true }), { does: 'open-palette' }], // Caps Lock
    [keys('л', { ctrlKey: true, code: 'KeyK' }), { does: 'open-palette' }], // Cyrillic
    [keys('t', { ctrlKey: true, code: 'KeyK' }), null], // Dvorak
    [keys('k', { ctrlKey: true, metaKey: true }), null],
    [keys('k'), null],
    [keys('o', { ctrlKey: true }), { does: 'install' }],
    [keys('.', { ctrlKey: true }), { does: 'stop-app' }],
    [keys('/'), { does: 'search' }],
    [keys('/', { shiftKey: true, code: 'Digit7' }), { does: 'search' }], // German
    [keys('?', { shiftKey: true }), { does: 'list-shortcuts' }],
    [keys('/', { ctrlKey: true }), null],
  ])('%j', (pressed, expected) => expect(shortcutOf(pressed)).toEqual(expected));
});

describe('where they may act', () => {
  afterEach(() => {
    document.body.innerHTML = '';
  });
  function mayActAt(html: string, init: KeyboardEventInit = {}): boolean {
    document.body.innerHTML = html;
    const seen = vi.fn();
    const listener = (event: KeyboardEvent) => seen(mayAct(event));
    window.addEventListener('keydown', listener);
    fireEvent.keyDown(document.querySelector('.at') ?? document.body, { key: 'k', ctrlKey: true, ...init });
    window.removeEventListener('keydown', listener);
    return seen.mock.calls[0]?.[0];
  }

  test.each([
    '',
    '<button class="at">',
    '<h1 tabindex="-1" class="at">',
    '<input type="checkbox" class="at">',
    '<input type="radio" class="at">',
  ])('on %s', (html) => expect(mayActAt(html)).toBe(true));

  test.each([
    '<input class="at">',
    '<input type="search" class="at">',
    '<input type="password" class="at">',
    '<input type="number" class="at">',
    '<textarea class="at"></textarea>',
    '<select class="at"></select>',
    '<div contenteditable><p contenteditable class="at"></p></div>',
    '<div role="dialog"><button class="at"></button></div>',
    '<div role="menu"><button class="at"></button></div>',
    '<button class="at"></button><div role="dialog" aria-modal="true"></div>',
  ])('not in %s', (html) => expect(mayActAt(html)).toBe(false));

  test.each<KeyboardEventInit>([{ repeat: true }, { isComposing: true }, { keyCode: 229 }])('not with %j', (init) =>
    expect(mayActAt('', init)).toBe(false),
  );
});
