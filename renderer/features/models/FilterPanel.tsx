import { Button, Switch } from '@mantine/core';
import { useId, useState } from 'react';
import type { FacetCount, ModelPage } from '../../../daemon/contract/catalog/models.ts';
import { navigate, replaceAddress } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';
import { ClearIcon, ClosedIcon, OpenIcon } from '../../parts/icons.tsx';
import { focusListCount, ListCount } from '../../parts/lists/ListCount.tsx';
import {
  type FacetName,
  hrefOfModels,
  type ModelQuery,
  rememberAllModels,
  withoutFilters,
} from '../../slices/models/models-query.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useHasCard } from '../../store/use-graphics-cards.ts';
import {
  allModelsText,
  cardFilterHelp,
  cardFilterText,
  facetNames,
  facetText,
  facetValueText,
  filtersOf,
  hiddenText,
} from './model-text.ts';

/** How many values of a facet are shown at first, and how many each click adds. */
const INITIAL_VALUES = 6;
const VALUES_PER_STEP = 20;

interface FilterPanelProps {
  readonly query: ModelQuery;
  /** The number of matches of each value, once known. */
  readonly facets: ModelPage['facets'] | undefined;
}

/** Offers the filters with the number of matches of each. Collapsed on a narrow window. */
export function FilterPanel({ query, facets }: FilterPanelProps) {
  const [open, setOpen] = useState(false);
  const chosen = filtersOf(query).length + Number(query.fitsCard);
  const runsHere = useDashboard((s) => s.catalogSource?.kind !== 'remote');
  const classes = ['filters', open && 'open', facets && 'filters-known'].filter(Boolean).join(' ');
  return (
    <section className={classes} aria-label="Filters">
      <Button
        className="filters-fold"
        variant="default"
        leftSection={open ? <OpenIcon size={16} /> : <ClosedIcon size={16} />}
        aria-expanded={open}
        aria-controls="filters"
        onClick={() => setOpen(!open)}
      >
        Filters{chosen > 0 && ` (${chosen})`}
      </Button>
      <div className="stack filters-body" id="filters">
        {runsHere && <CardFilter query={query} />}
        {facetNames.map((name) => (
          <Facet key={name} name={name} values={facets?.[name] ?? []} query={query} />
        ))}
      </div>
    </section>
  );
}

/** Shown where a graphics card is known that models can use. */
function CardFilter({ query }: { readonly query: ModelQuery }) {
  const hasCard = useHasCard();
  if (!hasCard) return null;
  return (
    <DescribedSwitch
      name={cardFilterText}
      isOn={query.fitsCard}
      onSwitch={(fitsCard) => navigate(hrefOfModels(query, { fitsCard }))}
    >
      {cardFilterHelp}
    </DescribedSwitch>
  );
}

interface FacetProps {
  readonly name: FacetName;
  readonly values: readonly FacetCount[];
  readonly query: ModelQuery;
}

function Facet({ name, values, query }: FacetProps) {
  const [shown, setShown] = useState(INITIAL_VALUES);
  const chosen = query[name];
  // The chosen value comes first, and is shown even without matches so that it can be removed.
  const rest = values.filter(({ value }) => value !== chosen);
  const first = values.find(({ value }) => value === chosen) ?? (chosen && { value: chosen, count: 0 });
  const all = first ? [first, ...rest] : rest;
  if (all.length === 0) return null;
  return (
    <section className="facet" aria-label={facetText[name]}>
      <h2>{facetText[name]}</h2>
      <ul>
        {all.slice(0, shown).map(({ value, count }) => (
          <li key={value}>
            <a
              className="facet-value"
              href={hrefOfModels(query, { [name]: value === chosen ? undefined : value })}
              aria-current={value === chosen ? 'true' : undefined}
            >
              <Foreign className="facet-label">{facetValueText(name, value)}</Foreign>{' '}
              <span className="facet-count">
                {count.toLocaleString()} <span className="visually-hidden">{count === 1 ? 'model' : 'models'}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {all.length > INITIAL_VALUES && (
        <SmallButton
          aria-label={`${shown < all.length ? 'Show more' : 'Show fewer'} of ${facetText[name]}`}
          onClick={() => setShown(shown < all.length ? shown + VALUES_PER_STEP : INITIAL_VALUES)}
        >
          {shown < all.length ? 'Show more' : 'Show fewer'}
        </SmallButton>
      )}
    </section>
  );
}

/** Shows the number of matches, a chip for each active filter, which removes it, and the switch for those that do not fit. */
export function ChosenFilters({ query, page }: { readonly query: ModelQuery; readonly page: ModelPage | null }) {
  const chips = [
    ...(query.fitsCard
      ? [{ key: 'fitsCard', label: cardFilterText, href: hrefOfModels(query, { fitsCard: false }) }]
      : []),
    ...filtersOf(query).map((name) => ({
      key: name,
      label: `${facetText[name]}: ${facetValueText(name, query[name] ?? '')}`,
      href: hrefOfModels(query, { [name]: undefined }),
    })),
  ];
  // One filter or a search alone has its own button; without a match the empty list has one.
  const chosen = chips.length + (query.search.trim() === '' ? 0 : 1);
  const canClear = chosen > 1 && page?.matches !== 0;
  const runsHere = useDashboard((s) => s.catalogSource?.kind !== 'remote');
  return (
    <div className="row catalog-bar">
      <div className="row chosen-filters">
        <ListCount matches={page?.matches ?? null} noun="model" page={page?.page ?? 1} pages={page?.pages ?? 1} />
        {chips.map(({ key, label, href }) => (
          <a
            key={key}
            className="filter-chip"
            href={href}
            aria-label={`Remove filter ${label}`}
            onClick={focusListCount}
          >
            {label} <ClearIcon size={14} />
          </a>
        ))}
        {canClear && (
          <a className="small" href={hrefOfModels(withoutFilters(query))} onClick={focusListCount}>
            Clear all
          </a>
        )}
      </div>
      {/* Where all that match fit, it would change nothing. */}
      {runsHere && !(query.fits && page?.hidden === 0) && <AllModels query={query} page={page} />}
    </div>
  );
}

interface AllModelsProps {
  readonly query: ModelQuery;
  readonly page: ModelPage | null;
}

/**
 * Says how many models are left out because they do not fit, and lists them. This browser remembers the choice, so that the
 * address before would be shown by it too: the history has no entry to go back to.
 */
function AllModels({ query, page }: AllModelsProps) {
  const id = useId();
  const hidden = page?.hidden ?? 0;
  return (
    <div className="row all-models">
      <span className="muted small" id={id} role="status">
        {query.fits && hidden > 0 && hiddenText(hidden, page?.matches !== 0)}
      </span>
      <Switch
        label={allModelsText}
        aria-describedby={id}
        checked={!query.fits}
        onChange={({ currentTarget: { checked } }) => {
          const href = hrefOfModels(query, { fits: !checked });
          rememberAllModels(checked); // after the address, which would leave it out otherwise
          replaceAddress(href);
        }}
      />
    </div>
  );
}
