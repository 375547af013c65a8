import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { navigate } from '../navigation/route.ts';

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

/** The tabs of a page. The address has the shown one. */
export function PageTabs<Tab extends string>({ label, tabs, shown, hrefOf }: PageTabsProps<Tab>) {
  const all = Object.entries<PageTab>(tabs);
  return (
    <Tabs value={shown} onChange={(next) => next !== null && navigate(hrefOf(next as Tab))} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {all.map(([tab, { title }]) => (
          <Tabs.Tab key={tab} value={tab}>
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
