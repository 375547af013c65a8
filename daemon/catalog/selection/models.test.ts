import { expect, test, vi } from 'vitest';
import type { CatalogSourceStatus } from '../../contract/catalog/models.ts';
import { createLogger } from '../../shared/logger.ts';
import { generatedCatalog } from '../../testing/models/generated-catalog.ts';
import { graphicsCard, machine, someModel } from '../../testing/models/some-models.ts';
import { buildCatalog } from '../catalog.ts';
import type { ModelFacts } from '../catalog-entry.ts';
import { withLocalLimits } from '../compute/local-programs.ts';
import { cpuOffer } from '../compute/this-machine.ts';
import { type MeasuredSpeeds, noSpeeds } from './best-order.ts';
import { type MeasuredMemory, noMeasurements } from './measured-memory.ts';
import { Models } from './models.ts';

const log = createLogger('error', () => {});
const status: CatalogSourceStatus = {
  ...{ kind: 'remote', url: 'https://catalog.example/api/v1', hasToken: true, fetchedAt: null, problem: null },
  total: 1,
};
const query = { search: '', fits: true, sort: 'newest', page: 1, limit: 100 } as const;

async function modelsOf(kind: 'embedded' | 'remote') {
  const catalog = await buildCatalog(generatedCatalog(20), log);
  const source = { kind, status, load: async () => catalog };
  const offers = vi.fn(async () => []);
  const models = new Models({
    catalog: source,
    offers,
    measured: () => noMeasurements,
    speeds: () => noSpeeds,
    suggestedName: async () => 'a-1',
  });
  return { catalog, source, offers, models };
}

test('every recipe of a remote catalog fits, and nothing is computed here', async () => {
  const { catalog, models } = await modelsOf('remote');
  const [entry] = catalog.entries;
  const [author = '', model = ''] = entry?.item.repoId.split('/') ?? [];
  const detail = await models.detail(author, model);
  expect(detail.recipes.map(({ recipe }) => recipe)).toEqual(entry?.item.recipes);
  expect(detail.recipes.every(({ fits, isChosen, considered }) => fits && !isChosen && considered.length === 0)).toBe(
    true,
  );
  expect((await models.list(query)).matches).toBe(20);
  expect((await models.list({ ...query, fitsCard: true })).matches).toBe(0); // they run elsewhere
  expect(detail.fit).toMatchObject({ fits: true, place: null, layers: null });
});

test('the filter keeps models that fit once a program is installed, and those that fit at once', async () => {
  const llamacpp = { accelerator: 'cpu', engineType: 'llamacpp', ggufFile: 'm-q4.gguf' } as const;
  const named = (name: string, facts: Partial<ModelFacts> = {}) =>
    someModel(
      { repoId: `ada/${name}`, recipes: [{ ...llamacpp, publicId: name }] },
      { weightBytes: { [name]: 1e9 }, ...facts },
    );
  const catalog = await buildCatalog(
    [named('text'), named('eyes', { mmprojFile: 'eyes.gguf' }), named('huge', { weightBytes: { huge: 1e15 } })],
    log,
  );
  const cpu = cpuOffer({ cpus: 4, cpuModel: 'Some CPU', totalBytes: 16e9, availableBytes: 16e9 });
  const listed = async (canInstall: boolean) => {
    const containers = { containers: 'No engine.', containerGpu: 'No engine.', images: new Set<string>() };
    const limits = { cpu: null, gpu: 'No.', vision: 'It reads images.', canInstall, ...containers };
    const [offer] = withLocalLimits([cpu], limits);
    const source = { kind: 'embedded', status, load: async () => catalog } as const;
    const models = new Models({
      catalog: source,
      offers: async () => (offer ? [offer] : []),
      measured: () => noMeasurements,
      speeds: () => noSpeeds,
      suggestedName: async () => '',
    });
    const page = await models.list(query);
    return page.models.map(({ repoId, fit }) => [repoId, fit.fits, fit.canInstall]);
  };
  const text = ['ada/text', true, false];
  expect(await listed(true)).toEqual(expect.arrayContaining([['ada/eyes', false, true], text]));
  expect(await listed(true)).toHaveLength(2);
  expect(await listed(false)).toEqual([text]);
});

test('the filter for the graphics card keeps models that fit it whole, chosen for it or not', async () => {
  const named = (name: string, facts: Partial<ModelFacts>) => {
    const recipes = (['cpu', 'gpu'] as const).map(
      (accelerator) => ({ accelerator, engineType: 'llamacpp', publicId: `${name}-${accelerator}` }) as const,
    );
    const arch = { layers: 32, kvHeads: 8, headDim: 128 };
    return someModel({ repoId: `ada/${name}`, recipes }, { arch, ...facts });
  };
  const weights = (name: string, bytes: number) => ({
    weightBytes: { [`${name}-cpu`]: bytes, [`${name}-gpu`]: bytes },
  });
  const catalog = await buildCatalog(
    [
      named('large', { ...weights('large', 6e9), parameterCount: 8e9 }),
      named('small', { ...weights('small', 1e9), parameterCount: 5e8 }),
      named('partly', { ...weights('partly', 12e9), parameterCount: 14e9 }),
      named('huge', { ...weights('huge', 1e12), parameterCount: 1e12 }),
    ],
    log,
  );
  let offers = [machine, graphicsCard];
  const models = new Models({
    catalog: { kind: 'embedded', status, load: async () => catalog },
    offers: async () => offers,
    measured: () => noMeasurements,
    speeds: () => noSpeeds,
    suggestedName: async () => '',
  });
  const listed = async (filter: { readonly fits?: boolean; readonly fitsCard?: boolean }) => {
    const page = await models.list({ ...query, fits: false, sort: 'name', ...filter });
    return page.models.map(({ modelName, fit }) => [modelName, fit.place]);
  };
  const onCard = [
    ['large', 'card'],
    ['small', 'processor'],
  ];
  expect(await listed({ fitsCard: true })).toEqual(onCard);
  expect(await listed({ fitsCard: true, fits: true })).toEqual(onCard);
  expect(await listed({ fitsCard: false, fits: true })).toEqual([onCard[0], ['partly', 'card-partly'], onCard[1]]);
  offers = [machine];
  expect(await listed({ fitsCard: true })).toEqual([]);
});

test('the fits are computed once, for both filters', async () => {
  const { source } = await modelsOf('embedded');
  const offers = [machine, graphicsCard];
  const measured = { of: vi.fn(() => []) };
  const models = new Models({
    ...{ catalog: source, offers: async () => offers, measured: () => measured, speeds: () => noSpeeds },
    suggestedName: async () => '',
  });
  const asked = { ...query, search: 'none of them' };
  await models.list(asked);
  const { length: selections } = measured.of.mock.calls;
  expect(selections).toBeGreaterThan(0);
  await models.list({ ...asked, fits: false, fitsCard: true });
  expect(measured.of).toHaveBeenCalledTimes(selections);
});

test('a remote catalog stays remote when another one is chosen while it loads', async () => {
  const { catalog, source, models } = await modelsOf('embedded');
  source.load = async () => {
    source.kind = 'remote';
    return catalog;
  };
  expect((await models.list(query)).matches).toBe(0); // no compute here
});

test('a measurement changes what fits, in the list and in the details', async () => {
  const recipe = { publicId: 'm', accelerator: 'cpu', engineType: 'llamacpp', ggufFile: 'm.gguf' } as const;
  const catalog = await buildCatalog(
    [someModel({ recipes: [recipe] }, { weightBytes: { m: 1e9 }, contextLength: 4096 })],
    log,
  );
  const cpu = cpuOffer({ cpus: 4, cpuModel: 'Some CPU', totalBytes: 4e9, availableBytes: 4e9 });
  let measured: MeasuredMemory = noMeasurements;
  const models = new Models({
    catalog: { kind: 'embedded', status, load: async () => catalog },
    offers: async () => [cpu],
    measured: () => measured,
    speeds: () => noSpeeds,
    suggestedName: async () => '',
  });
  const fits = async () => [(await models.list(query)).matches, (await models.detail('someone', 'm')).fit.fits];
  expect(await fits()).toEqual([1, true]);
  measured = { of: () => [{ bytes: 5e9, contextTokens: 4096, isProven: false }] };
  expect(await fits()).toEqual([0, false]);
  expect((await models.detail('someone', 'm')).fit.sentence).toBe(
    'Needs 5.0 GB, 2.1 GB more than this machine has for it.',
  );
});

test('the details of a model that is too large name a variant of it that fits', async () => {
  const sized = (name: string, bytes: number) => {
    const recipe = { publicId: name, accelerator: 'cpu', engineType: 'llamacpp', ggufFile: `${name}.gguf` } as const;
    return someModel(
      { repoId: `ada/${name}`, recipes: [recipe] },
      { weightBytes: { [name]: bytes }, parameterCount: bytes * 2 },
    );
  };
  const catalog = await buildCatalog([sized('Talk-32B', 16e9), sized('Talk-8B', 4e9), sized('Talk-1B', 0.5e9)], log);
  const models = new Models({
    catalog: { kind: 'embedded', status, load: async () => catalog },
    offers: async () => [cpuOffer({ cpus: 4, cpuModel: 'Some CPU', totalBytes: 8e9, availableBytes: 8e9 })],
    measured: () => noMeasurements,
    speeds: () => noSpeeds,
    suggestedName: async () => '',
  });
  const { fit } = await models.detail('ada', 'Talk-32B');
  expect(fit.sentence).toBe('Needs 17.3 GB, 10.5 GB more than this machine has for it; Talk-8B fits.');
});

test('a measured speed is told of its recipe, of the model where a deploy would choose it, and orders the list', async () => {
  const named = (name: string, parameterCount: number) =>
    someModel(
      {
        repoId: `ada/${name}`,
        recipes: ['q4', 'q8'].map((file) => ({
          ...({ accelerator: 'cpu', engineType: 'llamacpp' } as const),
          ...{ publicId: `${name}-${file}`, ggufFile: `${name}-${file}.gguf` },
        })),
      },
      { weightBytes: { [`${name}-q4`]: 1e9, [`${name}-q8`]: 2e9 }, parameterCount },
    );
  const catalog = await buildCatalog([named('large', 8e9), named('small', 1e9)], log);
  let speeds: MeasuredSpeeds = noSpeeds;
  const models = new Models({
    catalog: { kind: 'embedded', status, load: async () => catalog },
    offers: async () => [machine],
    measured: () => noMeasurements,
    speeds: () => speeds,
    suggestedName: async () => '',
  });
  const listed = async () => {
    const page = await models.list({ ...query, sort: 'best' });
    return page.models.map(({ modelName, fit }) => [modelName, fit.publicId, fit.speed?.tokensPerSecond]);
  };
  expect(await listed()).toEqual([
    ['small', 'small-q8', undefined],
    ['large', 'large-q8', undefined],
  ]);
  const speed = { tokensPerSecond: 9, measuredAt: '2026-11-29T10:00:00.000Z', program: 'a server 1', card: null };
  speeds = { of: (_repoId, { publicId }) => (publicId === 'large-q8' || publicId === 'small-q4' ? speed : undefined) };
  expect(await listed()).toEqual([
    ['large', 'large-q8', 9],
    ['small', 'small-q8', undefined],
  ]);
  const { fit, recipes } = await models.detail('ada', 'small');
  expect([fit.speed, recipes.map((recipe) => recipe.speed)]).toEqual([undefined, [speed, undefined]]);
});

test('with those that fit, the list says how many others match', async () => {
  const named = (name: string, bytes: number) =>
    someModel(
      {
        repoId: `ada/${name}`,
        recipes: [{ publicId: name, accelerator: 'cpu', engineType: 'llamacpp', ggufFile: `${name}.gguf` }],
      },
      { weightBytes: { [name]: bytes } },
    );
  const catalog = await buildCatalog([named('one', 1e9), named('two', 1e15), named('two-more', 1e15)], log);
  const models = new Models({
    catalog: { kind: 'embedded', status, load: async () => catalog },
    offers: async () => [machine],
    measured: () => noMeasurements,
    speeds: () => noSpeeds,
    suggestedName: async () => '',
  });
  const counts = async (filter: object) => {
    const { matches, hidden } = await models.list({ ...query, ...filter });
    return [matches, hidden];
  };
  expect(await counts({})).toEqual([1, 2]);
  expect(await counts({ search: 'more' })).toEqual([0, 1]);
  expect(await counts({ fits: false })).toEqual([3, undefined]);
});
