import { Button, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { hrefOf, switchTab } from '../../navigation/route.ts';
import { BackLink } from '../../parts/BackLink.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { DeployDialog } from '../deploy/DeployDialog.tsx';
import { CompareTable } from './CompareTable.tsx';
import { hrefOfComparison, parseComparison } from './compare-address.ts';
import { comparedRows } from './compare-text.ts';
import { type Compared, useCompared, useComparedDownloads } from './use-compared.ts';
import './compare.css';

/** Compares the models and recipes of its address: the differences, and on request the rest too. */
export function ComparePage({ query }: { readonly query: string }) {
  const { keys, all } = parseComparison(query);
  const visited = useDashboard((s) => s.visited.models);
  const setCompared = useDashboard((s) => s.setCompared);
  const text = keys.join('\n');
  // The address may come from elsewhere: what is collected follows it.
  useEffect(() => setCompared(text === '' ? [] : text.split('\n')), [setCompared, text]);
  return (
    <>
      <BackLink href={hrefOf('models', { query: visited })}>Catalog</BackLink>
      <PageHeader title="Compare" />
      {keys.length === 0 ? <NothingToCompare /> : <Comparison keys={keys} all={all} />}
    </>
  );
}

function Comparison({ keys, all }: { readonly keys: readonly string[]; readonly all: boolean }) {
  const { value, error, again } = useCompared(keys);
  const downloads = useComparedDownloads(keys);
  // The dialog stays while it closes, and returns the focus.
  const [deployed, setDeployed] = useState<{ readonly compared: Compared; readonly isOpen: boolean } | null>(null);
  // The answer before may still have one that was just removed.
  const columns = value?.filter(({ key }) => keys.includes(key)) ?? null;
  if (!columns) {
    return error ? (
      <FailedNote error={error} title="The models could not be loaded" onRetry={again} />
    ) : (
      <Skeleton rows={6} />
    );
  }
  const rows = comparedRows(columns, downloads);
  const differences = rows.filter(({ differs }) => differs);
  const showsAll = all || columns.length === 1;
  const remove = (key: string) => switchTab(hrefOfComparison({ keys: keys.filter((each) => each !== key), all }));
  return (
    <section className="card stack" aria-label="Comparison">
      <div className="compare-head">
        <p className="muted" role="status">
          {columns.length === 1
            ? 'Choose one or two more in the catalog to compare.'
            : differences.length === 0
              ? 'They do not differ in what is compared.'
              : `They differ in ${differences.length} of ${rows.length} properties.`}
        </p>
        {columns.length > 1 && (
          <Switch
            label="Show all"
            checked={all}
            onChange={({ currentTarget }) => switchTab(hrefOfComparison({ keys, all: currentTarget.checked }))}
          />
        )}
      </div>
      <CompareTable
        columns={columns}
        rows={showsAll ? rows : differences}
        onRemove={remove}
        onDeploy={(compared) => setDeployed({ compared, isOpen: true })}
      />
      {deployed?.compared.detail && (
        <DeployDialog
          model={deployed.compared.detail}
          recipe={deployed.isOpen ? deployed.compared.recipe : null}
          onClose={() => setDeployed({ ...deployed, isOpen: false })}
        />
      )}
    </section>
  );
}

function NothingToCompare() {
  return (
    <EmptyState
      title="Nothing is collected to compare"
      action={
        <Button component="a" href={hrefOf('models')}>
          Choose models
        </Button>
      }
    >
      Mark up to three models in the catalog, or recipes on the page of a model.
    </EmptyState>
  );
}
