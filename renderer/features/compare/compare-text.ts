import type { ModelDetail, RecipeDownload } from '../../../daemon/contract/catalog/models.ts';
import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';
import { parameters } from '../../parts/format.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { MAX_COMPARED } from '../../slices/models/compare-slice.ts';
import { downloadSizeText, isHere } from '../deploy/download-text.ts';
import { fitText, taskText } from '../deploy/fit-text.ts';
import { hourlyPriceText, recipeText } from '../deploy/recipe-text.ts';
import type { Compared } from './use-compared.ts';

/** A property of the compared models and recipes. */
export interface ComparedRow {
  readonly name: string;
  /** In the order of the columns; null: it has none. */
  readonly values: readonly (string | null)[];
  /** Whether it is not the same for all. */
  readonly differs: boolean;
}

const UNKNOWN = 'unknown';

/** The kind of a compared recipe and its file, `llama.cpp on CPU, m-q4.gguf`; null: a model is compared. */
export function comparedRecipe({ publicId, recipe }: Compared): string | null {
  if (publicId === null || recipe === null) return publicId;
  return [recipeText(recipe.recipe), recipe.recipe.ggufFile].filter(Boolean).join(', ');
}

/** The name of a model, and for a recipe its kind and its file. */
export const comparedName = (compared: Compared): string =>
  [compared.detail?.item.modelName ?? compared.repoId, comparedRecipe(compared)].filter(Boolean).join(', ');

type Download = RecipeDownload | null | undefined;

const properties: readonly (readonly [name: string, textOf: (of: Compared, download: Download) => string | null])[] = [
  ['Task', ofModel(({ item }) => taskText(item.task))],
  ['Author', ofModel(({ item }) => item.authorName)],
  ['Licence', ofModel(({ item }) => item.license)],
  ['Parameters', ofModel(({ parameterCount }) => (parameterCount === null ? UNKNOWN : parameters(parameterCount)))],
  [
    'Context',
    ofModel(({ contextLength }) => (contextLength === null ? UNKNOWN : `${contextLength.toLocaleString()} tokens`)),
  ],
  ['Added', ofModel(({ item }) => new Date(item.createdAt).toLocaleDateString([], { dateStyle: 'medium' }))],
  ['Recipe', ({ recipe }) => recipe && recipeText(recipe.recipe)],
  ['File', ({ recipe }) => recipe?.recipe.ggufFile ?? null],
  ['State', (of) => stateOf(of)?.word ?? null],
  ['Why not', whyNot],
  ['Memory', memoryText],
  ['Download', downloadedText],
  ['Runs on', ({ recipe }) => recipe?.offer?.label ?? null],
  ['Price', ({ recipe }) => (recipe?.offer ? hourlyPriceText(recipe.offer.pricePerHour) : null)],
];

/** Whether it fits, or its model does. */
export function stateOf({ detail, recipe }: Compared): StateText | null {
  const fit = recipe ?? detail?.fit;
  return fit ? fitText(fit) : null;
}

/** The properties that at least one of them has. @param downloads null: not known yet */
export function comparedRows(
  columns: readonly Compared[],
  downloads: ReadonlyMap<string, RecipeDownload> | null,
): readonly ComparedRow[] {
  const rows = properties.map(([name, textOf]) => {
    const values = columns.map((column) =>
      textOf(column, downloads === null ? null : downloads.get(column.recipe?.recipe.publicId ?? '')),
    );
    return { name, values, differs: new Set(values).size > 1 };
  });
  return rows.filter(({ values }) => values.some((value) => value !== null));
}

function ofModel(text: (detail: ModelDetail) => string) {
  return ({ detail }: Compared): string | null => detail && text(detail);
}

/** The memory of what fits has a row of its own. */
function whyNot({ detail, recipe }: Compared): string | null {
  if (recipe) return recipe.fits ? null : recipe.reason;
  return detail === null || detail.fit.fits ? null : detail.fit.sentence;
}

function memoryText({ recipe }: Compared): string | null {
  if (recipe === null) return null;
  const { needBytes, capacityBytes } = recipe;
  if (needBytes === null) return UNKNOWN;
  return capacityBytes === null ? byteText(needBytes) : byteTextOf(needBytes, capacityBytes);
}

function downloadedText({ recipe }: Compared, download: Download): string | null {
  if (recipe === null) return null;
  if (download === null) return '…';
  if (download === undefined) return null;
  const size = downloadSizeText(download);
  if (isHere(download)) return `${size}, on this machine`;
  return download.lackingBytes ? `${size}, too big for the disk` : size;
}

export const noneComparedText = 'Mark up to three models in the catalog, or recipes on the page of a model.';
export const chooseMoreText = 'Choose one or two more.';
export const collectedText = (count: number): string => `${count} of at most ${MAX_COMPARED}`;
export const fullText = `Remove one first: at most ${MAX_COMPARED} are compared.`;

/** How the compared differ. @param differing the number of properties in which they do, of `all` */
export function differenceText(compared: number, differing: number, all: number): string {
  if (compared === 1) return chooseMoreText;
  return differing === 0 ? 'They do not differ in any property.' : `They differ in ${differing} of ${all} properties.`;
}
