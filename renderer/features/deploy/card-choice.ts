import type { ConsideredRecipe } from '../../../daemon/contract/catalog/models.ts';
import { onlyOnText } from './deploy-text.ts';

/** Whether a deploy on this machine uses the graphics card. */
export interface CardChoice {
  /** Whether the recipe to deploy computes there. */
  readonly usesCard: boolean;
  /** The recipe of the same file that computes on the other one of card and processor; null: none can be deployed. */
  readonly other: ConsideredRecipe | null;
  /** Why there is no choice; null: there is one. */
  readonly reason: string | null;
}

/** The choice that a recipe leaves; null: it does not concern the graphics card of this machine. */
export function cardChoice(recipes: readonly ConsideredRecipe[], chosen: ConsideredRecipe): CardChoice | null {
  const { recipe, offer } = chosen;
  const { accelerator, engineType, ggufFile } = recipe;
  if (engineType !== 'llamacpp' || offer?.provider.vendor !== 'local') return null;
  const usesCard = accelerator === 'gpu';
  const wanted = usesCard ? 'cpu' : 'gpu';
  const others = recipes.filter(({ recipe: each }) => each.engineType === engineType && each.accelerator === wanted);
  const same = others.filter(({ recipe: each }) => each.ggufFile === ggufFile);
  const other = same.find(({ fits }) => fits) ?? null;
  if (other) return { usesCard, other, reason: null };
  const only = onlyOnText(usesCard ? 'graphics card' : 'processor');
  return { usesCard, other: null, reason: same[0]?.reason ?? only };
}
