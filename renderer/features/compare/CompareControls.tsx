import { Button } from '@mantine/core';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { ClearIcon } from '../../parts/icons.tsx';
import { type ComparedId, comparedKey, MAX_COMPARED } from '../../slices/models/compare-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { hrefOfComparison } from './compare-address.ts';
import { chooseMoreText, collectedText, comparedName, fullText } from './compare-text.ts';
import { useCompared } from './use-compared.ts';
import './compare.css';

/** Shows what is collected to compare, at the bottom of the window; nothing while there is nothing. */
export function CompareTray() {
  const compared = useDashboard((s) => s.compared);
  return compared.length === 0 ? null : <Tray compared={compared} />;
}

function Tray({ compared }: { readonly compared: readonly string[] }) {
  const toggleCompared = useDashboard((s) => s.toggleCompared);
  const setCompared = useDashboard((s) => s.setCompared);
  const { value } = useCompared(compared);
  const nameOf = (key: string) => {
    const found = value?.find((each) => each.key === key);
    return found ? comparedName(found) : key;
  };
  return (
    <section className="compare-tray" aria-label="Collected to compare">
      <ul className="compare-chips">
        {compared.map((key) => (
          <li key={key}>
            <button
              type="button"
              className="filter-chip"
              aria-label={`Do not compare ${nameOf(key)}`}
              onClick={() => toggleCompared(key)}
            >
              <Foreign>{nameOf(key)}</Foreign> <ClearIcon size={14} />
            </button>
          </li>
        ))}
      </ul>
      <div className="row compare-actions">
        <span className="muted small" role="status">
          {compared.length === 1 ? chooseMoreText : collectedText(compared.length)}
        </span>
        <SmallButton onClick={() => setCompared([])}>Clear</SmallButton>
        {compared.length > 1 && (
          <Button component="a" size="compact-sm" href={hrefOfComparison({ keys: compared, all: false })}>
            Compare {compared.length}
          </Button>
        )}
      </div>
    </section>
  );
}

interface CompareToggleProps extends ComparedId {
  /** Of the model or the recipe, for screen readers. */
  readonly name: string;
}

/** Adds a model or a recipe to those that are compared. Once there are several, the comparison is a step of the Tab key away. */
export function CompareToggle({ name, ...id }: CompareToggleProps) {
  const key = comparedKey(id);
  const compared = useDashboard((s) => s.compared);
  const isFull = compared.length >= MAX_COMPARED;
  const checked = compared.includes(key);
  const toggleCompared = useDashboard((s) => s.toggleCompared);
  const reason = isFull && !checked ? fullText : undefined;
  return (
    <span className="compare-choice">
      <label className="compare-toggle" title={reason}>
        <input
          type="checkbox"
          aria-label={`Compare ${name}`}
          checked={checked}
          disabled={reason !== undefined}
          onChange={() => toggleCompared(key)}
        />
        Compare
      </label>
      {checked && compared.length > 1 && (
        <a className="small" href={hrefOfComparison({ keys: compared, all: false })}>
          See the comparison
        </a>
      )}
    </span>
  );
}
