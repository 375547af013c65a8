import { CloseButton, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { hrefOf, replaceAddress } from '../../navigation/route.ts';
import { PrimaryLink, SendButton } from '../../parts/actions/buttons.tsx';
import { BackLink } from '../../parts/BackLink.tsx';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { PublisherTile } from '../../parts/tiles/PublisherTile.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { DeployDialog } from '../deploy/DeployDialog.tsx';
import { hrefOfComparison, parseComparison } from './compare-address.ts';
import {
  type ComparedRow,
  comparedName,
  comparedRecipe,
  comparedRows,
  differenceText,
  noneComparedText,
  stateOf,
} from './compare-text.ts';
import { type Compared, useCompared, useComparedDownloads } from './use-compared.ts';
import '../../parts/figures.css';
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
      {keys.length === 0 ? (
        <EmptyState
          title="No models to compare yet"
          action={<PrimaryLink href={hrefOf('models')}>Choose models</PrimaryLink>}
        >
          {noneComparedText}
        </EmptyState>
      ) : (
        <Comparison keys={keys} all={all} />
      )}
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
    if (!error) return <Skeleton rows={6} />;
    return <FailedNote error={error} title="The models could not be loaded" onRetry={again} />;
  }
  const rows = comparedRows(columns, downloads);
  const differences = rows.filter(({ differs }) => differs);
  const showsAll = all || columns.length === 1;
  const remove = (key: string) => replaceAddress(hrefOfComparison({ keys: keys.filter((each) => each !== key), all }));
  return (
    <section className="card stack" aria-label="Comparison">
      <div className="row bar">
        <p className="muted" role="status">
          {differenceText(columns.length, differences.length, rows.length)}
        </p>
        {columns.length > 1 && (
          <Switch
            label="Show all"
            checked={all}
            onChange={({ currentTarget }) => replaceAddress(hrefOfComparison({ keys, all: currentTarget.checked }))}
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

interface CompareTableProps {
  readonly columns: readonly Compared[];
  readonly rows: readonly ComparedRow[];
  readonly onRemove: (key: string) => void;
  readonly onDeploy: (compared: Compared) => void;
}

/** A column for each model or recipe, a row for each property. On a narrow window a property's name is above its values. */
function CompareTable({ columns, rows, onRemove, onDeploy }: CompareTableProps) {
  return (
    <table className="figures compare-table" data-columns={columns.length}>
      <caption className="visually-hidden">Comparison</caption>
      <thead>
        <tr>
          <td />
          {columns.map((column) => (
            <ColumnHead key={column.key} column={column} onRemove={() => onRemove(column.key)} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map((column, at) => (
              <td key={column.key}>{shownValue(name, column, values[at] ?? null)}</td>
            ))}
          </tr>
        ))}
        <tr className="compare-deploys">
          <th scope="row">
            <span className="visually-hidden">Deploy</span>
          </th>
          {columns.map((column) => (
            <td key={column.key}>
              {column.recipe?.fits && (
                <SendButton aria-label={`Deploy ${comparedName(column)}`} onClick={() => onDeploy(column)}>
                  Deploy…
                </SendButton>
              )}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function ColumnHead({ column, onRemove }: { readonly column: Compared; readonly onRemove: () => void }) {
  const { repoId, detail, problem } = column;
  return (
    <th scope="col">
      <div className="compare-column">
        <span>
          <span className="compare-model">
            {detail && <PublisherTile publisher={detail.item.authorName} isSmall />}
            <ForeignLink href={hrefOf('models', { modelId: repoId })}>{detail?.item.modelName ?? repoId}</ForeignLink>
          </span>
          <span className="muted small compare-which">
            {problem ?? comparedRecipe(column) ?? 'with its best recipe'}
          </span>
        </span>
        <CloseButton
          size="sm"
          aria-label={`Do not compare ${comparedName(column)}`}
          title="Do not compare it"
          onClick={onRemove}
        />
      </div>
    </th>
  );
}

function shownValue(name: string, column: Compared, text: string | null) {
  if (text === null) return <span className="muted">–</span>;
  const state = name === 'State' ? stateOf(column) : null;
  return state ? <StateWord {...state} lasting /> : <Foreign>{text}</Foreign>;
}
