import type { ConsideredOffer } from '../../../daemon/contract/catalog/models.ts';
import { bytes, counted } from '../../parts/format.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { price } from '../deploy/recipe-text.ts';
import { offerText } from './model-text.ts';

interface OfferTableProps {
  readonly id: string;
  /** The name of the recipe. */
  readonly recipeName: string;
  readonly considered: readonly ConsideredOffer[];
}

/** More rows than this are not shown, to keep the table fast. */
const MAX_OFFERS = 200;

/** Lists the offers considered for a recipe, each with the reason why it fits or not. */
export function OfferTable({ id, recipeName, considered }: OfferTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else to tab to
    <section className="offers" id={id} aria-label={`Offers for ${recipeName}`} tabIndex={0}>
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
          {considered.slice(0, MAX_OFFERS).map(({ offer, fits, capacityBytes, reason }) => {
            const { word, tone } = offerText(fits);
            return (
              <tr key={offer.id}>
                <th scope="row">
                  {offer.label}
                  <span className="small offer-reason">{reason}</span>
                </th>
                <td className="number mono offer-figure">{capacityBytes === null ? '–' : bytes(capacityBytes)}</td>
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
      {considered.length > MAX_OFFERS && (
        <p className="muted small">{counted(considered.length - MAX_OFFERS, 'more offer')} of the same kinds.</p>
      )}
    </section>
  );
}
