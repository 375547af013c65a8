import { type ComparedId, comparedKey, MAX_COMPARED } from '../../slices/models/compare-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { hrefOfComparison } from './compare-address.ts';
import './compare.css';

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
  const reason = isFull && !checked ? `At most ${MAX_COMPARED} are compared. Remove one first.` : undefined;
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
