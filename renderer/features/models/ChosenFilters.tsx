import { counted } from '../../parts/format.ts';
import { ClearIcon } from '../../parts/icons.tsx';
import { filtersOf, hrefOfModels, type ModelQuery, withoutFilters } from '../../slices/models/models-query.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { facetText, facetValueText } from './model-text.ts';

/** Shows the number of matches and a chip for each active filter, which removes it. */
export function ChosenFilters({ query }: { readonly query: ModelQuery }) {
  const chips = [
    ...(query.fits ? [{ key: 'fits', label: 'Fits this machine', href: hrefOfModels(query, { fits: false }) }] : []),
    ...filtersOf(query).map((name) => ({
      key: name,
      label: `${facetText[name]}: ${facetValueText(name, query[name] ?? '')}`,
      href: hrefOfModels(query, { [name]: undefined }),
    })),
  ];
  return (
    <div className="row chosen-filters">
      <FoundCount />
      {chips.map(({ key, label, href }) => (
        <a key={key} className="filter-chip" href={href} aria-label={`Remove filter ${label}`} onClick={focusCount}>
          {label} <ClearIcon size={14} />
        </a>
      ))}
      {(chips.length > 0 || query.search.trim() !== '') && (
        <a className="small" href={hrefOfModels(withoutFilters(query))} onClick={focusCount}>
          Clear all
        </a>
      )}
    </div>
  );
}

/** The number of matches. Gets the focus when a filter's chip is removed. */
function FoundCount() {
  const matches = useDashboard((s) => s.modelPage?.value?.matches);
  return (
    <p className="small found-count" id="models-found" role="status" tabIndex={-1}>
      {matches !== undefined && counted(matches, 'model')}
    </p>
  );
}

function focusCount(): void {
  document.getElementById('models-found')?.focus();
}
