import type { ModelPage } from '../../../daemon/contract/catalog/models.ts';
import { ClearIcon } from '../../parts/icons.tsx';
import { focusListCount, ListCount } from '../../parts/lists/ListCount.tsx';
import { hrefOfModels, type ModelQuery, withoutFilters } from '../../slices/models/models-query.ts';
import { facetText, facetValueText, filtersOf } from './model-text.ts';

/** Shows the number of matches and a chip for each active filter, which removes it. */
export function ChosenFilters({ query, page }: { readonly query: ModelQuery; readonly page: ModelPage | null }) {
  const chips = [
    ...(query.fits ? [{ key: 'fits', label: 'Fits this machine', href: hrefOfModels(query, { fits: false }) }] : []),
    ...filtersOf(query).map((name) => ({
      key: name,
      label: `${facetText[name]}: ${facetValueText(name, query[name] ?? '')}`,
      href: hrefOfModels(query, { [name]: undefined }),
    })),
  ];
  // One filter or a search alone has its own button; without a match there is "Show all models".
  const chosen = chips.length + (query.search.trim() === '' ? 0 : 1);
  const canClear = chosen > 1 && page?.matches !== 0;
  return (
    <div className="row chosen-filters">
      <ListCount matches={page?.matches ?? null} noun="model" page={page?.page ?? 1} pages={page?.pages ?? 1} />
      {chips.map(({ key, label, href }) => (
        <a key={key} className="filter-chip" href={href} aria-label={`Remove filter ${label}`} onClick={focusListCount}>
          {label} <ClearIcon size={14} />
        </a>
      ))}
      {canClear && (
        <a className="small" href={hrefOfModels(withoutFilters(query))} onClick={focusListCount}>
          Clear all
        </a>
      )}
    </div>
  );
}
