import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ConsideredRecipe, ModelDownloads } from '../../../daemon/contract/catalog/models.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { ClosedIcon, OpenIcon } from '../../parts/icons.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { CompareToggle } from '../compare/CompareControls.tsx';
import { DownloadLine } from '../deploy/DownloadLine.tsx';
import { fitText } from '../deploy/fit-text.ts';
import { offersText, price, recipeText } from '../deploy/recipe-text.ts';
import { FitSentence } from './FitSentence.tsx';
import { OfferTable } from './OfferTable.tsx';
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

export function RecipeTable({ recipes, ...rest }: RecipeTableProps) {
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

/** A row of figures, below it the reason, and on request the considered offers. */
function RecipeRows({
  repoId,
  consideredRecipe,
  downloads,
  onDeploy,
}: { readonly consideredRecipe: ConsideredRecipe } & Omit<RecipeTableProps, 'recipes'>) {
  const [open, setOpen] = useState(false);
  const connected = useDashboard(isConnected);
  const { recipe, isChosen, fits, needBytes, reason, offer, considered } = consideredRecipe;
  const name = [recipeText(recipe), recipe.ggufFile].filter(Boolean).join(', ');
  const offersId = `offers-${recipe.publicId}`;
  const { word, tone } = fitText(consideredRecipe);
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
          <StateWord tone={tone} lasting>
            {word}
          </StateWord>
        </td>
        <td className="recipe-action">
          {fits && (
            <Button
              variant="default"
              size="compact-sm"
              disabled={!connected}
              onClick={() => onDeploy(consideredRecipe)}
              aria-label={`Deploy ${name}`}
            >
              Deploy…
            </Button>
          )}
        </td>
      </tr>
      <tr className="recipe-reason">
        <td colSpan={6}>
          {recipe.ggufFile && <span className="mono recipe-file recipe-file-below">{recipe.ggufFile}</span>}
          <div className="recipe-line">
            <div className="recipe-sentences">
              <FitSentence fit={consideredRecipe}>{reason}</FitSentence>
              <DownloadLine recipe={consideredRecipe} downloads={downloads} />
            </div>
            <div className="row">
              <CompareToggle repoId={repoId} publicId={recipe.publicId} name={name} />
              {considered.length > 0 && (
                <Button
                  variant="default"
                  size="compact-sm"
                  leftSection={open ? <OpenIcon size={14} /> : <ClosedIcon size={14} />}
                  aria-expanded={open}
                  aria-controls={offersId}
                  aria-label={`${offersText(considered)}, for ${name}`}
                  onClick={() => setOpen(!open)}
                >
                  {offersText(considered)}
                </Button>
              )}
            </div>
          </div>
          {open && <OfferTable id={offersId} recipeName={name} considered={considered} />}
        </td>
      </tr>
    </tbody>
  );
}
