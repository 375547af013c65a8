import { Tabs } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { navigate, replaceAddress } from '../navigation/route.ts';

interface PageTab {
  readonly title: ReactNode;
  readonly content: ReactNode;
}

interface PageTabsProps<Tab extends string> {
  /** For screen readers. */
  readonly label: string;
  /** In their order, each with its content, of which only that of the shown tab is rendered. */
  readonly tabs: Readonly<Record<Tab, PageTab>>;
  readonly shown: Tab;
  readonly hrefOf: (tab: Tab) => string;
}

/**
 * The tabs of a page. The address has the shown one. Each tab that is opened is an entry of the history, but of those that
 * arrows pass while the focus is on the tabs only the last one.
 */
export function PageTabs<Tab extends string>({ label, tabs, shown, hrefOf }: PageTabsProps<Tab>) {
  const all = Object.entries<PageTab>(tabs);
  /** Whether keys have opened a tab since the focus came to the tabs. */
  const passing = useRef(false);
  const list = useRef<HTMLDivElement>(null);
  const at = all.findIndex(([tab]) => tab === shown);
  // A narrow window has no room for all tabs: their list scrolls.
  useLayoutEffect(() => {
    const scroll = () => scrollToTab(list.current, at);
    scroll();
    window.addEventListener('resize', scroll);
    return () => window.removeEventListener('resize', scroll);
  }, [at]);
  function open(tab: string, byKey: boolean): void {
    const show = byKey && passing.current ? replaceAddress : navigate;
    passing.current = byKey;
    show(hrefOf(tab as Tab));
  }
  return (
    <Tabs value={shown} keepMounted={false}>
      <Tabs.List
        ref={list}
        aria-label={label}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) passing.current = false;
        }}
      >
        {all.map(([tab, { title }]) => (
          // An arrow makes a click that no pointer has made.
          <Tabs.Tab key={tab} value={tab} onClick={({ detail }) => open(tab, detail === 0)}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {all.map(([tab, { content }]) => (
        <Tabs.Panel key={tab} value={tab}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Scrolls the list of the tabs, and not the page, until that tab is whole. */
function scrollToTab(list: HTMLElement | null, at: number): void {
  const tab = list?.querySelectorAll('[role="tab"]')[at];
  if (!list || !tab) return;
  const [room, place] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (place.left < room.left) list.scrollLeft += place.left - room.left;
  else if (place.right > room.right) list.scrollLeft += place.right - room.right;
}
