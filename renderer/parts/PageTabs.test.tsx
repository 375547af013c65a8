import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { hrefOf, useRoute } from '../navigation/route.ts';
import { testDashboard } from '../testing/fake-daemon.ts';
import { renderDashboard } from '../testing/render-dashboard.tsx';
import { PageTabs } from './PageTabs.tsx';

const names = ['about', 'readme', 'output', 'runs'] as const;
type Name = (typeof names)[number];
const tabs = Object.fromEntries(names.map((name) => [name, { title: name, content: `The ${name}` }])) as Readonly<
  Record<Name, { readonly title: string; readonly content: string }>
>;

function Page() {
  const { tab } = useRoute();
  return (
    <>
      <PageTabs
        label="Tabs"
        tabs={tabs}
        shown={names.find((name) => name === tab) ?? 'about'}
        hrefOf={(next) => hrefOf('apps', { appName: 'dance', tab: next })}
      />
      <button type="button">Elsewhere</button>
    </>
  );
}

const tab = (name: Name) => screen.getByRole('tab', { name });
afterEach(() => vi.restoreAllMocks());

const shows = (name: Name) => vi.waitFor(() => expect(tab(name)).toHaveAttribute('aria-selected', 'true'));

test('each tab that is clicked is an entry of the history; of those that arrows pass only the last one', async () => {
  window.location.hash = '#/apps/dance';
  renderDashboard(testDashboard(), <Page />);
  await shows('about');
  const before = window.history.length;
  const entries = () => window.history.length - before;
  await userEvent.click(tab('readme'));
  await userEvent.click(tab('output'));
  expect(entries()).toBe(2);
  for (const passed of ['runs', 'about', 'readme'] as const) {
    await userEvent.keyboard('{ArrowRight}');
    await shows(passed);
    expect(tab(passed)).toHaveFocus();
  }
  expect(entries()).toBe(3);
  window.history.back();
  await shows('output');
  window.history.forward();
  await shows('readme');

  screen.getByRole('button', { name: 'Elsewhere' }).focus();
  tab('readme').focus();
  await userEvent.keyboard('{ArrowRight}');
  await shows('output');
  expect(entries(), 'another stay').toBe(4);
});

test('the shown tab is whole where the list has no room for all, also once the window is narrower', async () => {
  let room = 200;
  const list = () => screen.getByRole('tablist');
  // Each tab is 100 px wide, and the list scrolls.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const at = (names as readonly (string | null)[]).indexOf(this.textContent);
    return at < 0 ? new DOMRect(0, 0, room, 40) : new DOMRect(at * 100 - list().scrollLeft, 0, 100, 40);
  });
  window.location.hash = hrefOf('apps', { appName: 'dance', tab: 'runs' });
  renderDashboard(testDashboard(), <Page />);
  await shows('runs');
  await vi.waitFor(() => expect(list().scrollLeft).toBe(200));
  await userEvent.click(tab('about'));
  await vi.waitFor(() => expect(list().scrollLeft).toBe(0));
  await userEvent.click(tab('readme'));
  await shows('readme');
  expect(list().scrollLeft, 'it is whole already').toBe(0);
  room = 150;
  window.dispatchEvent(new Event('resize'));
  expect(list().scrollLeft).toBe(50);
});
