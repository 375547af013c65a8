import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ConsideredOffer } from '../../../daemon/contract/catalog/models.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { counted } from '../../parts/format.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { offerText } from '../deploy/fit-text.ts';
import { price } from '../deploy/recipe-text.ts';
import '../../parts/figures.css';

interface OfferTableProps {
  readonly id: string;
  /** The name of the recipe. */
  readonly recipeName: string;
  readonly considered: readonly ConsideredOffer[];
}

/** More offers that fit than this are folded too. */
const INITIAL_OFFERS = 5;
/** More rows than this are not shown, to keep the table fast. */
const MAX_OFFERS = 200;

/** Lists the offers for a recipe that can be used, and on request the others, each with the reason why it does not fit. */
export function OfferTable({ id, recipeName, considered }: OfferTableProps) {
  const [all, setAll] = useState(false);
  const fitting = considered.filter(({ fits }) => fits);
  const first = fitting.slice(0, INITIAL_OFFERS);
  const rest = considered.length - first.length;
  const ordered = [...fitting, ...considered.filter(({ fits }) => !fits)].slice(0, MAX_OFFERS);
  return (
    <div className="offers-found" id={id}>
      {fitting.length === 0 && <p className="small">None of the {counted(considered.length, 'offer')} can be used.</p>}
      {(all || first.length > 0) && <Offers recipeName={recipeName} offers={all ? ordered : first} />}
      {all && considered.length > MAX_OFFERS && (
        <p className="muted small">{counted(considered.length - MAX_OFFERS, 'more offer')} of the same kinds.</p>
      )}
      {rest > 0 && (
        <Button variant="default" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {`${all ? 'Hide' : 'Show'} the ${first.length > 0 ? 'other ' : ''}${rest === 1 ? 'one' : counted(rest, 'offer')}`}
        </Button>
      )}
    </div>
  );
}

function Offers({ recipeName, offers }: { readonly recipeName: string; readonly offers: readonly ConsideredOffer[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else to tab to
    <section className="offers" aria-label={`Offers for ${recipeName}`} tabIndex={0}>
      <table className="figures">
        <caption className="visually-hidden">Offers considered for {recipeName}</caption>
        <thead>
          <tr>
            <th scope="col">Offer</th>
            <th scope="col" className="number offer-figure">
              Memory
            </th>
            <th scope="col" className="number offer-figure">
              Price per hour
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {offers.map(({ offer, fits, capacityBytes, reason }) => {
            const { word, tone } = offerText(fits);
            return (
              <tr key={offer.id}>
                <th scope="row">
                  {offer.label}
                  <span className="small offer-reason">{reason}</span>
                </th>
                <td className="number mono offer-figure">{capacityBytes === null ? '–' : byteText(capacityBytes)}</td>
                <td className="number mono offer-figure">{price(offer.pricePerHour)}</td>
                <td>
                  <StateWord tone={tone} lasting>
                    {word}
                  </StateWord>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
