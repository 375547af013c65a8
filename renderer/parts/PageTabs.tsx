import { Tabs } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
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
  function open(tab: string, byKey: boolean): void {
    const show = byKey && passing.current ? replaceAddress : navigate;
    passing.current = byKey;
    show(hrefOf(tab as Tab));
  }
  return (
    <Tabs value={shown} keepMounted={false}>
      <Tabs.List
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
