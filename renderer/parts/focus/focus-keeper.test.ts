import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { observersSettled } from '../../testing/observers-settled.ts';
import { keepFocus } from './focus-keeper.ts';

let end: () => void;
beforeEach(() => {
  document.body.innerHTML = `
    <main><h1 tabindex="-1">Apps</h1>
      <ul>
        <li id="dance"><h2>Dance</h2><div id="row"><button id="start">Start</button><a href="#s">Settings</a></div></li>
        <li id="wave"><h2>Wave</h2><div><button id="start-wave">Start</button><button id="dismiss">Dismiss</button></div></li>
      </ul>
      <section aria-labelledby="account"><h2 id="account">Account</h2><form><input id="token"><button>Sign in</button></form></section>
    </main>
    <footer><button id="stop">Stop</button><a href="#jobs" id="jobs">Jobs</a></footer>`;
  end = keepFocus();
});
afterEach(() => {
  end();
  document.body.innerHTML = '';
});

const at = <E extends HTMLElement = HTMLButtonElement>(id: string) => document.getElementById(id) as E;
const isFocused = (element: () => Element | null) =>
  vi.waitFor(() => expect(document.activeElement).toBe(element() ?? 'an element'));
const html = (text: string) => document.createRange().createContextualFragment(text);

test('the control that takes the place gets the focus, in the same change', async () => {
  at('start').focus();
  at('start').replaceWith(html('<button id="stop-dance">Stop</button><button>Restart</button>'));
  await isFocused(() => at('stop-dance'));
  at('row').replaceWith(html('<div><a href="#a">Details</a><button id="cancel">Cancel</button></div>'));
  await isFocused(() => at('cancel'));
});

test('without one, the nearest control of the same part of the page gets it, then the heading of the part', async () => {
  at('start').focus();
  at('start').remove();
  await isFocused(() => document.querySelector('#dance a'));
  document.querySelector('#dance a')?.remove();
  await isFocused(() => document.querySelector('#dance h2'));
  at('wave').lastElementChild?.append(html('<p id="question"><button id="cancel">Cancel</button></p>'));
  at('cancel').focus();
  at('question').remove();
  await isFocused(() => at('start-wave'));
  at('stop').focus();
  at('stop').remove();
  await isFocused(() => at('jobs'));
});

test('a row of a list hands it on to the same control of the next or previous row', async () => {
  at('start').focus();
  at('dance').remove();
  await isFocused(() => at('start-wave'));
  at('wave').before(html('<li id="before"><button id="start-before">Start</button><button>Dismiss</button></li>'));
  at('dismiss').focus();
  at('wave').remove();
  await isFocused(() => document.querySelectorAll('#before button')[1] ?? null);
});

test('a form that was sent hands it on to the field that asks for it, else to the heading', async () => {
  at('token').focus();
  document
    .querySelector('form')
    ?.replaceWith(html('<p>Signed in</p><button>Sign out</button><div><h3>Sessions</h3></div>'));
  await isFocused(() => at('account'));
  document.querySelector('section')?.append(html('<form id="again"><input id="second"></form>'));
  at('second').focus();
  at('again').replaceWith(html('<button>Close</button><button data-autofocus id="open">Open</button>'));
  await isFocused(() => at('open'));
});

test('a tab gets it from its panel, and the heading of the page where all else is gone', async () => {
  document
    .querySelector('ul')
    ?.replaceWith(
      html('<button role="tab" id="two">Two</button><div role="tabpanel"><a href="#x" id="in-panel">To two</a></div>'),
    );
  at('in-panel').focus();
  document
    .querySelector('[role=tabpanel]')
    ?.replaceWith(html('<div role="tabpanel" aria-labelledby="two"><button>In two</button></div>'));
  await isFocused(() => at('two'));
  const main = document.querySelector('main') as HTMLElement;
  main.replaceChildren(html('<h1 tabindex="-1" id="robot">Robot</h1><p>Nothing to press</p>'));
  await isFocused(() => at('robot'));
});

test('a panel that was emptied for the one of another tab hands it to the tab that is chosen now', async () => {
  document.querySelector('ul')?.replaceWith(
    html(
      `<div role="tablist"><button role="tab" id="one" aria-selected="true">One</button><button role="tab" id="two" aria-selected="false">Two</button></div>
        <div role="tabpanel" aria-labelledby="one" id="first"><a href="#x" id="in-first">To two</a></div><div role="tabpanel" aria-labelledby="two" id="second"></div>`,
    ),
  );
  at('in-first').focus();
  at('first').replaceChildren();
  at('one').ariaSelected = 'false';
  at('two').ariaSelected = 'true';
  at('second').append(html('<p>Nothing to press</p>'));
  await isFocused(() => at('two'));
});

test('a page that is replaced by one that is still loading hands it to the heading, once that appears', async () => {
  const main = document.querySelector('main') as HTMLElement;
  main.tabIndex = 0;
  at('start').focus();
  main.replaceChildren(html('<div role="status">Loading</div>'));
  await isFocused(() => main);
  main.replaceChildren(html('<h1 tabindex="-1" id="robot">Robot</h1><button>Sleep</button>'));
  await isFocused(() => at('robot'));
});

test('a note that is gone hands it back to the control before it, also once that is enabled or replaced', async () => {
  at('start').focus();
  at('row').after(html('<div id="note"><button id="replace">Replace</button></div>'));
  at('replace').focus();
  at('start').disabled = true;
  at('note').remove();
  await isFocused(() => document.querySelector('#dance h2'));
  at('start').replaceWith(html('<button id="stop-dance">Stop</button>'));
  await isFocused(() => at('stop-dance'));
  at('row').after(html('<button id="dismiss-note">Dismiss</button>'));
  at('dismiss-note').focus();
  at('dismiss-note').remove();
  await isFocused(() => at('stop-dance'));
});

test('a row that was a form for a while hands it back to the control that opened the form', async () => {
  at('start').focus();
  at('dance').replaceWith(html('<li id="edited"><form><input id="name"></form></li>'));
  at('name').focus();
  at('edited').replaceWith(html('<li><button id="again">Start</button><button>Remove</button></li>'));
  await isFocused(() => at('again'));
});

test('a form that is closed hands it back to the button that opened it, when that is there again', async () => {
  const section = document.querySelector('section') as HTMLElement;
  section.replaceChildren(html('<h2>Variables</h2><div id="add"><button id="first-add">Add</button></div>'));
  at('first-add').focus();
  await observersSettled();
  section.append(html('<form><input id="name"></form>'));
  at('add').remove();
  at('name').focus();
  await observersSettled();
  document.querySelector('form')?.remove();
  section.append(html('<p>One more</p><div><button id="second-add">Add</button></div>'));
  await isFocused(() => at('second-add'));
});

test('a disabled field hands it to the heading of its part, and gets it back', async () => {
  at<HTMLInputElement>('token').focus();
  at<HTMLInputElement>('token').disabled = true;
  await isFocused(() => at('account'));
  at<HTMLInputElement>('token').disabled = false;
  await isFocused(() => at('token'));
  at<HTMLInputElement>('token').disabled = true;
  await isFocused(() => at('account'));
  at('jobs').focus();
  at<HTMLInputElement>('token').disabled = false;
  await observersSettled();
  expect(document.activeElement).toBe(at('jobs'));
});

test("after a dialog whose opener is gone, the opener's successor gets it", async () => {
  at('start').focus();
  document.body.append(html('<div id="portal"><div role="dialog"><button id="remove">Remove</button></div></div>'));
  at('remove').focus();
  at('dance').remove();
  await observersSettled();
  expect(document.activeElement).toBe(at('remove'));
  at('portal').remove();
  await isFocused(() => at('start-wave'));
});

test('a part that was hidden and is shown in its place gets it', async () => {
  document.querySelector('form')?.after(html('<div hidden id="kept"><input data-autofocus id="half-typed"></div>'));
  at('token').focus();
  at('kept').hidden = false;
  document.querySelector('form')?.remove();
  await isFocused(() => at('half-typed'));
});

test('content that changes in a dialog keeps it in the dialog', async () => {
  document.body.append(
    html('<div role="dialog" id="dialog"><h2>Install</h2><div><button id="go">Go</button></div></div>'),
  );
  at('go').focus();
  at('go').parentElement?.replaceWith(html('<p>It is installed.</p>'));
  await isFocused(() => document.querySelector('#dialog h2'));
});

test('a place that itself goes later is replaced too', async () => {
  at('start').focus();
  document.body.append(html('<div role="dialog" id="dialog"><button id="ok">OK</button></div>'));
  at('ok').focus();
  at('row').remove();
  await observersSettled();
  at('dance').remove();
  await observersSettled();
  at('dialog').remove();
  await isFocused(() => at('start-wave'));
});

test('the user may take it away, and it leaves the order of the Tab key as it was', async () => {
  at('start').focus();
  document.querySelector('h2')?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  at('start').blur();
  at('start').remove();
  await observersSettled();
  expect(document.activeElement).toBe(document.body);
  at('token').focus();
  document.querySelector('form')?.remove();
  await isFocused(() => at('account'));
  at('jobs').focus();
  expect(at('account')).not.toHaveAttribute('tabindex');
});
