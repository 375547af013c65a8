import { Tabs } from '@mantine/core';
import { hrefOf, switchTab } from '../../navigation/route.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CompareTray } from '../compare/CompareControls.tsx';
import { ComparePage } from '../compare/ComparePage.tsx';
import { COMPARE_TAB } from '../compare/compare-address.ts';
import { EndpointsPanel } from '../endpoints/EndpointsPanel.tsx';
import { MachinePanel } from '../machine/MachinePanel.tsx';
import { CatalogPanel } from './CatalogPanel.tsx';
import { ModelPage } from './ModelPage.tsx';

export interface ModelsPageProps {
  /** The model to show, `author/name`; null shows the list. */
  readonly modelId: string | null;
  readonly tab: string | null;
  /** The rest of the address's query. */
  readonly query: string;
}

const otherTabs: readonly string[] = ['endpoints', 'machine'];

/** The catalog, the endpoints and what this machine has for them; or one model. */
export function ModelsPage({ modelId, tab, query }: ModelsPageProps) {
  const endpoints = useDashboard((s) => s.endpointsStatus?.total ?? 0);
  const visited = useDashboard((s) => s.visited.models);
  if (modelId !== null) {
    return (
      <>
        <ModelPage key={modelId} id={modelId} />
        <CompareTray />
      </>
    );
  }
  if (tab === COMPARE_TAB) return <ComparePage query={query} />;
  return (
    <>
      <PageHeader title="Models" />
      <Tabs
        value={tab !== null && otherTabs.includes(tab) ? tab : 'catalog'}
        // Restores the catalog's last query.
        onChange={(next) =>
          switchTab(hrefOf('models', next !== null && otherTabs.includes(next) ? { tab: next } : { query: visited }))
        }
        keepMounted={false}
      >
        <Tabs.List aria-label="Models">
          <Tabs.Tab value="catalog">Catalog</Tabs.Tab>
          <Tabs.Tab value="endpoints">Endpoints {endpoints}</Tabs.Tab>
          <Tabs.Tab value="machine">This machine</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="catalog">
          <CatalogPanel query={query} />
          <CompareTray />
        </Tabs.Panel>
        <Tabs.Panel value="endpoints">
          <EndpointsPanel query={query} />
        </Tabs.Panel>
        <Tabs.Panel value="machine">
          <MachinePanel query={query} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
