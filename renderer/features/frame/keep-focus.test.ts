import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

let end: () => void;
beforeEach(() => {
  document.body.innerHTML = `
    <main><div class="content-inner"><h1 tabindex="-1">Apps</h1>
      <article><div id="row"><button id="install">Install</button></div><button id="other">Other</button></article>
    </div></main>
    <aside><button id="outside">Outside</button></aside>`;
  end = keepFocus();
});
afterEach(() => end());

const at = (id: string) => document.getElementById(id) as HTMLButtonElement;
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('the element around a removed control gets the focus, and leaves the order of the Tab key as it was', async () => {
  at('install').focus();
  at('install').remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(at('row')));
  at('other').focus();
  expect(at('row')).not.toHaveAttribute('tabindex');
});

test('the heading gets it where the whole page changes', async () => {
  at('install').focus();
  document.querySelector('article')?.remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(document.querySelector('h1')));
});

test('a control that is enabled again gets it back', async () => {
  at('install').focus();
  at('install').disabled = true;
  at('install').blur(); // as browsers do
  await settled();
  expect(document.activeElement).toBe(document.body);
  at('install').disabled = false;
  await vi.waitFor(() => expect(document.activeElement).toBe(at('install')));
});

test('the user may take it away, or move it', async () => {
  at('install').focus();
  at('install').dispatchEvent(new Event('pointerdown', { bubbles: true }));
  at('install').blur();
  at('install').remove();
  await settled();
  expect(document.activeElement).toBe(document.body);
  at('other').focus();
  at('row').remove();
  await settled();
  expect(document.activeElement).toBe(at('other'));
});

test('outside of the page and of dialogs nothing is kept', async () => {
  at('outside').focus();
  at('outside').remove();
  await settled();
  expect(document.activeElement).toBe(document.body);
});
