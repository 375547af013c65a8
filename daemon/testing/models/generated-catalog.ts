import type { CatalogEntry } from '../../catalog/catalog-entry.ts';
import type { Accelerator, EngineType, Recipe } from '../../contract/catalog/catalog.ts';
import { randomNumbers } from '../../robot/simulation/random-numbers.ts';

const families = [
  'Aurora',
  'Basalt',
  'Cedar',
  'Dune',
  'Ember',
  'Fjord',
  'Garnet',
  'Heron',
  'Iris',
  'Juniper',
  'Kestrel',
];
const traits = [
  'Chat',
  'Coder',
  'Instruct',
  'Math',
  'Vision',
  'Embed',
  'Rerank',
  'Mini',
  'Omni',
  'Base',
  'Long',
  'Fast',
];
const sizes = [0.3, 0.6, 1.1, 1.7, 3, 4, 7, 8, 14, 24, 32, 70, 120];
const quants = [
  { name: 'Q4_K_M', bits: 4.89 },
  { name: 'Q8_0', bits: 8.5 },
  { name: 'F16', bits: 16 },
];
const licenses = ['apache-2.0', 'mit', 'other', 'gemma', 'llama3.1', 'cc-by-4.0', 'cc-by-nc-4.0', 'openrail++', 'MIT'];
const tasks = [
  'text-generation',
  'image-text-to-text',
  'feature-extraction',
  'sentence-similarity',
  'text-classification',
  'automatic-speech-recognition',
  'text-ranking',
  'translation',
  'fill-mask',
  'object-detection',
  'any-to-any',
  'table-question-answering',
];
/** The engines and accelerators of models that are not GGUF repositories. */
const servings: readonly (readonly [EngineType, Accelerator])[] = [
  ['vllm', 'gpu'],
  ['sglang', 'gpu'],
  ['tei', 'cpu'],
  ['tei', 'gpu'],
  ['custom', 'cpu'],
  ['custom', 'gpu'],
  ['vllmNeuron', 'neuron'],
  ['vllmOmni', 'gpu'],
];
const FIRST_DAY = Date.UTC(2022, 2, 2);
const DAYS = 1_700;
const DAY_MS = 86_400_000;

/**
 * Generates models with the distributions of a real catalog: a few authors, licenses and tasks have most models, many
 * were created on the same day, a third are GGUF repositories. The same seed gives the same catalog. It is not sorted.
 */
export function generatedCatalog(count: number, seed = 1): CatalogEntry[] {
  const random = randomNumbers(seed * 7_919);
  const authors = Math.max(3, Math.ceil(count / 250));
  return Array.from({ length: count }, (_, number) => {
    const model = {
      number,
      author: `${oneOf(families, random()).toLowerCase()}-labs-${Math.floor(authors * random() ** 3)}`,
      family: oneOf(families, random()),
      trait: oneOf(traits, random()),
      sizeB: oneOf(sizes, random() ** 1.5),
    };
    return random() < 1 / 3 ? ggufRepository(model, random) : repository(model, random);
  });
}

/** The text of a catalog file with these models. */
export function asCatalogFile(entries: readonly CatalogEntry[]): string {
  return `[\n${entries.map(({ item, facts }) => JSON.stringify({ ...item, x: facts })).join(',\n')}\n]\n`;
}

interface Model {
  readonly number: number;
  readonly author: string;
  readonly family: string;
  readonly trait: string;
  /** Billions (1e9) of parameters. */
  readonly sizeB: number;
}

function ggufRepository(model: Model, random: () => number): CatalogEntry {
  const name = modelName(model);
  const count = 1 + Math.floor(random() * quants.length);
  const recipes = quants.slice(0, count).flatMap(({ name: quant, bits }) =>
    (['cpu', 'gpu'] as const).map((accelerator) => ({
      recipe: {
        accelerator,
        engineType: 'llamacpp' as const,
        ggufFile: `${name}-${quant}.gguf`,
        publicId: publicId(model, `llamacpp-${accelerator}-${quant}`),
      },
      bits,
    })),
  );
  return entry({ ...model, name: `${name}-GGUF`, nativeDtype: 'gguf' }, recipes, random);
}

function repository(model: Model, random: () => number): CatalogEntry {
  const first = Math.floor(servings.length * random() ** 2);
  const chosen = servings.slice(first, first + 1 + Math.floor(random() * 3));
  const revision = random() < 0.1 ? { revision: model.number.toString(16).padStart(40, '0') } : {};
  const recipes = chosen.map(([engineType, accelerator]) => ({
    recipe: { accelerator, engineType, publicId: publicId(model, `${engineType}-${accelerator}`), ...revision },
    bits: 16,
  }));
  return entry({ ...model, name: modelName(model), nativeDtype: 'bf16' }, recipes, random);
}

function entry(
  { author, name, sizeB, nativeDtype }: Model & { readonly name: string; readonly nativeDtype: string },
  recipes: readonly { readonly recipe: Recipe; readonly bits: number }[],
  random: () => number,
): CatalogEntry {
  const parameterCount = sizeB * 1e9;
  return {
    item: {
      modelName: name,
      createdAt: new Date(FIRST_DAY + Math.floor(random() * DAYS) * DAY_MS).toISOString(),
      authorName: author,
      license: oneOf(licenses, random() ** 2),
      repoId: `${author}/${name}`,
      task: oneOf(tasks, random() ** 2),
      recipes: recipes.map(({ recipe }) => recipe),
    },
    facts: {
      parameterCount,
      weightBytes: Object.fromEntries(
        recipes.map(({ recipe, bits }) => [recipe.publicId, (parameterCount * bits) / 8]),
      ),
      nativeDtype,
      contextLength: 32_768,
      arch: { layers: 32, kvHeads: 8, headDim: 128, heads: 32 },
    },
  };
}

function modelName({ family, trait, sizeB, number }: Model): string {
  return `${family}-${(number % 40) / 10 + 1}-${sizeB}B-${trait}-${number.toString(36)}`;
}

function publicId(model: Model, serving: string): string {
  return `${model.author}--${modelName(model)}--${serving}`.toLowerCase().replaceAll('_', '-');
}

/** @param at from 0 up to 1 */
function oneOf<T>(values: readonly T[], at: number): T {
  return values[Math.floor(at * values.length)] as T;
}
