import { hrefOf } from '../../navigation/route.ts';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { PageTabs } from '../../parts/PageTabs.tsx';
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

/** Besides the catalog. */
const otherTabs = ['endpoints', 'machine'] as const;

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
      <PageTabs
        label="Models"
        shown={otherTabs.find((each) => each === tab) ?? 'catalog'}
        // Restores the catalog's last query.
        hrefOf={(next) => hrefOf('models', next === 'catalog' ? { query: visited } : { tab: next })}
        tabs={{
          catalog: { title: 'Catalog', content: <Catalog query={query} /> },
          endpoints: { title: `Endpoints ${endpoints}`, content: <EndpointsPanel query={query} /> },
          machine: { title: 'This machine', content: <MachinePanel query={query} /> },
        }}
      />
    </>
  );
}

function Catalog({ query }: { readonly query: string }) {
  return (
    <>
      <CatalogPanel query={query} />
      <CompareTray />
    </>
  );
}
