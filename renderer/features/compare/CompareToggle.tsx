import { type ComparedId, comparedKey, MAX_COMPARED } from '../../slices/models/compare-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import './compare.css';

interface CompareToggleProps extends ComparedId {
  /** Of the model or the recipe, for screen readers. */
  readonly name: string;
}

/** Adds a model or a recipe to those that are compared. */
export function CompareToggle({ name, ...id }: CompareToggleProps) {
  const key = comparedKey(id);
  const checked = useDashboard((s) => s.compared.includes(key));
  const isFull = useDashboard((s) => s.compared.length >= MAX_COMPARED);
  const toggleCompared = useDashboard((s) => s.toggleCompared);
  const reason = isFull && !checked ? `At most ${MAX_COMPARED} are compared. Remove one first.` : undefined;
  return (
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
  );
}
