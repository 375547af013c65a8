import { expect, test, vi } from 'vitest';
import { observersSettled } from '../../testing/observers-settled.ts';
import { focusResults } from './focus-results.ts';

function page(): HTMLInputElement {
  document.body.innerHTML =
    '<input id="field"><button id="filter">Filter</button><ul data-results-of=""><li><a href="#a">All</a></li></ul>';
  const field = document.querySelector('input') as HTMLInputElement;
  field.focus();
  return field;
}
const show = (search: string, html = '<li>New <a href="#one">One</a><a href="#two">Two</a></li>') => {
  const list = document.querySelector('ul') as HTMLElement;
  list.dataset['resultsOf'] = search;
  list.innerHTML = html;
};
test('the first result gets the focus, at once or when it is shown, not one of the search before', async () => {
  const field = page();
  focusResults(field);
  expect(document.activeElement).toHaveTextContent('All');

  field.focus();
  field.value = ' dance ';
  focusResults(field);
  expect(field).toHaveFocus();
  show('danc');
  await observersSettled();
  expect(field).toHaveFocus();
  show('dance', '');
  await observersSettled();
  expect(field).toHaveFocus();
  show('dance');
  await vi.waitFor(() => expect(document.activeElement).toHaveTextContent('One'));
});

test('results that come after the user typed on or went elsewhere leave the focus where it is', async () => {
  const field = page();
  field.value = 'dance';
  focusResults(field);
  field.value = 'dances';
  show('dance');
  await observersSettled();
  expect(field).toHaveFocus();

  field.value = 'wave';
  focusResults(field);
  document.querySelector('button')?.focus();
  show('wave');
  await observersSettled();
  expect(document.querySelector('button')).toHaveFocus();
});
