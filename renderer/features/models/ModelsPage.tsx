import { Tabs } from '@mantine/core';
import { hrefOf, switchTab } from '../../navigation/route.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { EndpointsPanel } from '../endpoints/EndpointsPanel.tsx';
import { CatalogPanel } from './CatalogPanel.tsx';
import { ModelPage } from './ModelPage.tsx';

interface ModelsPageProps {
  /** The one model to be looked at, `author/name`. */
  readonly modelId: string | null;
  readonly tab: string | null;
  /** What else the address says behind its `?`. */
  readonly query: string;
}

/** What can be served, and what is. */
export function ModelsPage({ modelId, tab, query }: ModelsPageProps) {
  const endpoints = useDashboard((s) => s.endpointsStatus?.total ?? 0);
  const modelsQuery = useDashboard((s) => s.modelsQuery);
  if (modelId !== null) return <ModelPage key={modelId} id={modelId} />;
  return (
    <>
      <PageHeader title="Models" />
      <Tabs
        value={tab === 'endpoints' ? tab : 'catalog'}
        // The catalog is found as it was left.
        onChange={(next) => switchTab(hrefOf('models', next === 'endpoints' ? { tab: next } : { query: modelsQuery }))}
        keepMounted={false}
      >
        <Tabs.List aria-label="Models">
          <Tabs.Tab value="catalog">Catalog</Tabs.Tab>
          <Tabs.Tab value="endpoints">Endpoints {endpoints}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="catalog">
          <CatalogPanel query={query} />
        </Tabs.Panel>
        <Tabs.Panel value="endpoints">
          <EndpointsPanel query={query} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
