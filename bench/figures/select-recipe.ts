import { join } from 'node:path';
import type { CatalogEntry } from '../../daemon/catalog/catalog-entry.ts';
import type { ComputeOffer } from '../../daemon/catalog/compute/compute-offer.ts';
import { readComputeOffers } from '../../daemon/catalog/compute/compute-offers.ts';
import { cpuOffer, measureHost } from '../../daemon/catalog/compute/this-machine.ts';
import { selectRecipe } from '../../daemon/catalog/selection/recipe-selection.ts';
import type { Recipe } from '../../daemon/contract/catalog/catalog.ts';
import { someModel } from '../../daemon/testing/models/some-models.ts';
import { projectDir } from '../../scripts/environment/project.ts';
import { type Figure, row } from '../harness/figure.ts';
import { type Summary, summary } from '../harness/samples.ts';

const AIM_MS = 0.2;
const OFFERS = 60;

/** The selection of a recipe: a list of models makes one for each model, a deploy makes one. */
export const selectRecipeFigure: Figure = {
  name: 'select-recipe',
  measures: `a recipe and an offer chosen for one model of eight recipes over ${OFFERS} offers, with a reason for each of the 480 pairs`,
  beside: null,
  measure: async ({ quick }) => {
    const samples = quick ? 100 : 5_000;
    const offers = someOffers();
    const withAccounts = offers.map((offer) => ({
      ...offer,
      hasProvider: true,
      quota: { maxAccelerators: 16, usedAccelerators: 0 },
    }));
    const most = () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS });
    const one = (label: string, entry: CatalogEntry, over: readonly ComputeOffer[], outcome: string) =>
      row(`select-recipe, ${label}`, 'ms', { ours: milliseconds(samples, entry, over, outcome), beside: null }, most);
    return [
      one('one fits', model(8e9), withAccounts, 'chosen'),
      one('nothing fits', model(4e12), withAccounts, 'nothing-fits'),
    ];
  },
};

function milliseconds(samples: number, entry: CatalogEntry, offers: readonly ComputeOffer[], outcome: string): Summary {
  const taken: number[] = [];
  // The first tenth warms up the compiler.
  for (let sample = -samples / 10; sample < samples; sample++) {
    const startMs = performance.now();
    const selection = selectRecipe(entry, {}, offers);
    const tookMs = performance.now() - startMs;
    if (selection.outcome !== outcome) throw new Error(`The outcome of the selection was ${selection.outcome}.`);
    if (sample >= 0) taken.push(tookMs);
  }
  return summary(taken);
}

/** The offers of this machine and the shipped ones, some of them repeated with another id. */
function someOffers(): ComputeOffer[] {
  const listed = readComputeOffers(join(projectDir, 'assets', 'catalog', 'compute-offers.json'));
  const offers = [cpuOffer(measureHost()), ...listed];
  const more = listed.slice(0, OFFERS - offers.length).map((offer) => ({ ...offer, id: `${offer.id}-again` }));
  return [...offers, ...more];
}

function model(parameterCount: number): CatalogEntry {
  const recipes: Recipe[] = (['gpu', 'cpu'] as const).flatMap((accelerator) => [
    { publicId: `m--vllm-${accelerator}`, accelerator, engineType: 'vllm' },
    ...['q4_k_m', 'q8_0', 'f16'].map((kind) => ({
      publicId: `m--llamacpp-${accelerator}-${kind}`,
      accelerator,
      engineType: 'llamacpp' as const,
      ggufFile: `m-${kind}.gguf`,
    })),
  ]);
  // Without the sizes of the files, the selection must estimate them, which takes longer.
  const arch = { layers: 36, kvHeads: 8, headDim: 128, heads: 32 };
  return someModel({ recipes }, { parameterCount, nativeDtype: 'bf16', contextLength: 40_960, arch });
}
