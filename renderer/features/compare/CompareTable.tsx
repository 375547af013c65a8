import { Button, CloseButton } from '@mantine/core';
import { hrefOf } from '../../navigation/route.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { type ComparedRow, comparedName, comparedRecipe, stateOf } from './compare-text.ts';
import type { Compared } from './use-compared.ts';
import '../../parts/figures.css';

interface CompareTableProps {
  readonly columns: readonly Compared[];
  readonly rows: readonly ComparedRow[];
  readonly onRemove: (key: string) => void;
  readonly onDeploy: (compared: Compared) => void;
}

/** A column for each model or recipe, a row for each property. On a narrow window a property's name is above its values. */
export function CompareTable({ columns, rows, onRemove, onDeploy }: CompareTableProps) {
  const connected = useDashboard(isConnected);
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
              <td key={column.key}>
                <Value name={name} column={column}>
                  {values[at] ?? null}
                </Value>
              </td>
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
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={!connected}
                  aria-label={`Deploy ${comparedName(column)}`}
                  onClick={() => onDeploy(column)}
                >
                  Deploy…
                </Button>
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
          <a href={hrefOf('models', { modelId: repoId })}>
            <Foreign>{detail?.item.modelName ?? repoId}</Foreign>
          </a>
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

interface ValueProps {
  readonly name: string;
  readonly column: Compared;
  readonly children: string | null;
}

function Value({ name, column, children }: ValueProps) {
  if (children === null) return <span className="muted">–</span>;
  const state = name === 'State' ? stateOf(column) : null;
  if (state) {
    return (
      <StateWord tone={state.tone} lasting>
        {state.word}
      </StateWord>
    );
  }
  return <Foreign>{children}</Foreign>;
}
