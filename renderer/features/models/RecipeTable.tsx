import { useState } from 'react';
import type {
  ConsideredOffer,
  ConsideredRecipe,
  ModelDownloads,
  RecipeDownload,
} from '../../../daemon/contract/catalog/models.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { counted } from '../../parts/format.ts';
import { ClosedIcon, OpenIcon } from '../../parts/icons.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { CompareToggle } from '../compare/CompareControls.tsx';
import { DownloadLine, DownloadProblem, downloadOf } from '../deploy/DownloadLine.tsx';
import { sharedProblems } from '../deploy/download-text.ts';
import { fitText, offerText } from '../deploy/fit-text.ts';
import { offersText, price, recipeText } from '../deploy/recipe-text.ts';
import { FitSentence } from './FitSentence.tsx';
import { moreOffersText, noOfferText } from './model-text.ts';
import { SpeedLine } from './SpeedLine.tsx';
import '../../parts/figures.css';

interface RecipeTableProps {
  readonly repoId: string;
  /** Null: not known yet. */
  readonly downloads: ModelDownloads | null;
  readonly recipes: readonly ConsideredRecipe[];
  readonly onDeploy: (recipe: ConsideredRecipe) => void;
}

/** Ranks the chosen recipe first, then those that fit. The sort is stable, so the catalog's order stays within a rank. */
const rank = ({ isChosen, fits }: ConsideredRecipe): number => (isChosen ? 0 : fits ? 1 : 2);

/** The recipes, each with its reason and its download. What all downloads fail for is told once, above them. */
export function RecipeTable({ recipes, ...rest }: RecipeTableProps) {
  const { repoId, downloads } = rest;
  const told = sharedProblems(recipes.flatMap((recipe) => downloadOf(recipe, downloads) ?? []));
  return (
    <>
      {told.map((download) => (
        <DownloadProblem key={download.problem?.message} repoId={repoId} download={download} />
      ))}
      <Recipes recipes={recipes} told={told} {...rest} />
    </>
  );
}

interface RecipesProps extends RecipeTableProps {
  /** The problems of downloads that are shown above. */
  readonly told: readonly RecipeDownload[];
}

function Recipes({ recipes, ...rest }: RecipesProps) {
  return (
    <table className="figures recipe-table">
      <caption className="visually-hidden">Recipes of the model</caption>
      <thead>
        <tr>
          <th scope="col">Recipe</th>
          <th scope="col" className="number">
            Memory
          </th>
          <th scope="col" className="recipe-offer recipe-place">
            Runs on
          </th>
          <th scope="col" className="number recipe-offer">
            Price per hour
          </th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      {recipes
        .toSorted((a, b) => rank(a) - rank(b))
        .map((recipe) => (
          <RecipeRows key={recipe.recipe.publicId} consideredRecipe={recipe} {...rest} />
        ))}
    </table>
  );
}

/** A row of figures, below it the reason, and on request the considered offers. The chosen recipe is deployed and compared as the model. */
function RecipeRows({
  repoId,
  consideredRecipe,
  downloads,
  told,
  onDeploy,
}: { readonly consideredRecipe: ConsideredRecipe } & Omit<RecipesProps, 'recipes'>) {
  const [open, setOpen] = useState(false);
  const { recipe, isChosen, fits, needBytes, reason, offer, considered } = consideredRecipe;
  const name = [recipeText(recipe), recipe.ggufFile].filter(Boolean).join(', ');
  const offersId = `offers-${recipe.publicId}`;
  return (
    <tbody>
      <tr className="recipe-figures">
        <th scope="row">
          {recipeText(recipe)} {isChosen && <span className="best-fit">best fit</span>}
          {recipe.ggufFile && <span className="mono recipe-file recipe-file-beside">{recipe.ggufFile}</span>}
        </th>
        <td className="number mono">{needBytes === null ? '–' : byteText(needBytes)}</td>
        <td className="recipe-offer recipe-place">{offer?.label ?? '–'}</td>
        <td className="number recipe-offer">{offer ? price(offer.pricePerHour) : '–'}</td>
        <td>
          <StateWord {...fitText(consideredRecipe)} lasting />
        </td>
        <td className="recipe-action">
          {fits && !isChosen && (
            <SendButton onClick={() => onDeploy(consideredRecipe)} aria-label={`Deploy ${name}`}>
              Deploy…
            </SendButton>
          )}
        </td>
      </tr>
      <tr className="recipe-reason">
        <td colSpan={6}>
          {recipe.ggufFile && <span className="mono recipe-file recipe-file-below">{recipe.ggufFile}</span>}
          <div className="row recipe-line">
            <div className="recipe-sentences">
              <FitSentence fit={consideredRecipe}>{reason}</FitSentence>
              {!isChosen && <SpeedLine speed={consideredRecipe.speed} showsWhere />}
              <DownloadLine repoId={repoId} recipe={consideredRecipe} downloads={downloads} told={told} />
            </div>
            <div className="row">
              {!isChosen && <CompareToggle repoId={repoId} publicId={recipe.publicId} name={name} />}
              {considered.length > 0 && (
                <SmallButton
                  leftSection={open ? <OpenIcon size={14} /> : <ClosedIcon size={14} />}
                  aria-expanded={open}
                  aria-controls={offersId}
                  aria-label={`${offersText(considered)}, for ${name}`}
                  onClick={() => setOpen(!open)}
                >
                  {offersText(considered)}
                </SmallButton>
              )}
            </div>
          </div>
          {open && <OfferTable id={offersId} recipeName={name} considered={considered} />}
        </td>
      </tr>
    </tbody>
  );
}

interface OfferTableProps {
  readonly id: string;
  readonly recipeName: string;
  readonly considered: readonly ConsideredOffer[];
}

/** More offers that fit than this are folded too. */
const INITIAL_OFFERS = 5;
/** More rows than this are not shown, to keep the table fast. */
const MAX_OFFERS = 200;

/** Lists the offers for a recipe that can be used, and on request the others, each with the reason why it does not fit. */
function OfferTable({ id, recipeName, considered }: OfferTableProps) {
  const [all, setAll] = useState(false);
  const fitting = considered.filter(({ fits }) => fits);
  const first = fitting.slice(0, INITIAL_OFFERS);
  const rest = considered.length - first.length;
  const ordered = [...fitting, ...considered.filter(({ fits }) => !fits)].slice(0, MAX_OFFERS);
  return (
    <div className="stack offers-found" id={id}>
      {fitting.length === 0 && <p className="small">{noOfferText(considered.length)}</p>}
      {(all || first.length > 0) && <Offers recipeName={recipeName} offers={all ? ordered : first} />}
      {all && considered.length > MAX_OFFERS && (
        <p className="muted small">{moreOffersText(considered.length - MAX_OFFERS)}</p>
      )}
      {rest > 0 && (
        <SmallButton aria-expanded={all} onClick={() => setAll(!all)}>
          {`${all ? 'Hide' : 'Show'} the ${first.length > 0 ? 'other ' : ''}${rest === 1 ? 'one' : counted(rest, 'offer')}`}
        </SmallButton>
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
          {offers.map(({ offer, fits, place, capacityBytes, reason }) => (
            <tr key={offer.id}>
              <th scope="row">
                {offer.label}
                <span className="small offer-reason">{reason}</span>
              </th>
              <td className="number mono offer-figure">{capacityBytes === null ? '–' : byteText(capacityBytes)}</td>
              <td className="number mono offer-figure">{price(offer.pricePerHour)}</td>
              <td>
                <StateWord {...offerText({ fits, place })} lasting />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
