import type { CatalogEntry, ModelFacts } from '../catalog/catalog-entry.ts';
import type { ComputeOffer, Lacks } from '../catalog/compute/compute-offer.ts';
import type { MeasuredMemory, MemoryMeasurement } from '../catalog/selection/measured-memory.ts';
import type { WantedRecipe } from '../catalog/selection/selection.ts';
import { Accelerator, EngineType, type Recipe } from '../contract/catalog/catalog.ts';
import { OfferStatus } from '../contract/compute/hardware.ts';

/** The input of one selection. */
export interface SelectionCase {
  readonly entry: CatalogEntry;
  readonly wanted: WantedRecipe;
  readonly offers: readonly ComputeOffer[];
  readonly measured: MeasuredMemory;
}

/** Random models and offers to select from. @param random returns a number from 0 up to but not including 1 */
export function randomSelections(random: () => number) {
  function anyCase(): SelectionCase {
    const recipes = Array.from({ length: below(9) }, (_, index) => anyRecipe(index));
    const repoId = `someone/model-${below(1e6)}`;
    const item = {
      modelName: 'model',
      createdAt: '2026-01-01T00:00:00.000Z',
      authorName: 'someone',
      license: 'mit',
      repoId,
      task: anyOf(['text-generation', 'feature-extraction', 'text-to-image']),
      recipes,
    };
    return {
      entry: { item, facts: anyFacts(recipes) },
      wanted: {
        ...(random() < 0.3 ? { accelerator: anyOf(Accelerator.options) } : {}),
        ...(random() < 0.1 ? { ggufFile: anyOf(['a.gguf', 'b.gguf']) } : {}),
      },
      offers: Array.from({ length: below(12) }, (_, index) => anyOffer(index)),
      measured: anyMeasurements(recipes),
    };
  }

  function anyRecipe(index: number): Recipe {
    const engineType = random() < 0.4 ? 'llamacpp' : anyOf(EngineType.options);
    return {
      publicId: `model--${below(100)}-${index}`,
      accelerator: anyOf(Accelerator.options),
      engineType,
      ...(engineType === 'llamacpp' ? { ggufFile: anyOf(['a.gguf', 'folder/a.gguf', 'b.gguf']) } : {}),
    };
  }

  function anyFacts(recipes: readonly Recipe[]): ModelFacts {
    const weights = recipes.flatMap(({ publicId }) => (random() < 0.85 ? [[publicId, anySize()] as const] : []));
    return {
      weightBytes: Object.fromEntries(weights),
      ...(random() < 0.8 ? { parameterCount: anyOf([1e8, 999e6, 1e9, 8e9, 70e9]) } : {}),
      ...(random() < 0.8 ? { contextLength: anyOf([448, 4096, 8192, 10_000, 40_960, 131_072]) } : {}),
      ...(random() < 0.5 ? { nativeDtype: anyOf(['bf16', 'f16', 'f32', 'mxfp4']) } : {}),
      ...(random() < 0.1 ? { mmprojFile: 'eyes.gguf' } : {}),
      ...(random() < 0.7
        ? {
            arch: {
              layers: 1 + below(80),
              kvHeads: anyOf([1, 2, 8]),
              headDim: anyOf([64, 128]),
              ...(random() < 0.5 ? { heads: anyOf([14, 32, 40]) } : {}),
            },
          }
        : {}),
    };
  }

  function anyOffer(index: number): ComputeOffer {
    const vendor = anyOf(['local', 'aws', 'gcp']);
    const numAccelerators = anyOf([1, 1, 2, 4, 8]);
    return {
      id: `${vendor}-${below(100)}-${index}`,
      vendor,
      region: anyOf(['this-machine', 'there']),
      accelerator: anyOf(Accelerator.options),
      instanceType: 'type',
      instanceSize: `x${numAccelerators}`,
      architecture: 'some',
      numAccelerators,
      numCpus: null,
      memoryBytes: null,
      acceleratorMemoryBytes: null,
      capacityBytes: random() < 0.05 ? 0 : anySize() * 2,
      pricePerHour: anyOf([0, 0.5, 0.5, 0.8, 10]),
      status: anyOf([...OfferStatus.options, 'available', 'available', 'available']),
      quota: { maxAccelerators: anyOf([1, 8, 16]), usedAccelerators: anyOf([0, 0, 8]) },
      hasProvider: random() < 0.6,
      engines: random() < 0.2 ? ['llamacpp'] : null,
      ...(random() < 0.2 ? { lacks: anyLacks() } : {}),
      ...(random() < 0.2 ? anyCard() : {}),
    };
  }

  /** Graphics cards are those of this machine, which cost nothing. */
  function anyCard(): Partial<ComputeOffer> {
    const freeBytes = random() < 0.1 ? 0 : 5e8 + anySize() / 10;
    const card = { freeBytes, hostBytes: random() < 0.2 ? 0 : anySize() * 10 };
    const one = { numAccelerators: 1, quota: { maxAccelerators: 1, usedAccelerators: 0 } };
    return {
      vendor: 'local',
      accelerator: 'gpu',
      pricePerHour: 0,
      hasProvider: true,
      status: 'available',
      ...one,
      card,
    };
  }

  function anyMeasurements(recipes: readonly Recipe[]): MeasuredMemory {
    const any = (): MemoryMeasurement => ({
      bytes: anySize(),
      contextTokens: anyOf([null, 448, 8192, 32_768, 131_072]),
      isProven: random() < 0.7,
    });
    const measured = new Map(recipes.map((recipe) => [recipe.publicId, Array.from({ length: below(3) }, any)]));
    return { of: (_repoId, { publicId }) => measured.get(publicId) ?? [] };
  }

  function anyLacks(): Lacks {
    const engines = EngineType.options.filter(() => random() < 0.5);
    const lack = { sentence: 'Install it.', canInstall: random() < 0.5 };
    return { engines: Object.fromEntries(engines.map((engine) => [engine, lack])), vision: anyOf([null, lack]) };
  }

  /** From 10 MB to 200 GB, as many small as large sizes; sometimes a repeated one. */
  function anySize(): number {
    return random() < 0.1 ? 5e9 : Math.round(1e7 * 20_000 ** random());
  }

  function grown(offer: ComputeOffer): ComputeOffer {
    if (random() < 0.5) return offer;
    const more = (bytes: number) => bytes * (1 + 3 * random()) + below(2) * 1e9;
    const { card } = offer;
    const grownCard = card && { card: { freeBytes: more(card.freeBytes), hostBytes: more(card.hostBytes) } };
    return { ...offer, capacityBytes: more(offer.capacityBytes), ...grownCard };
  }

  function below(limit: number): number {
    return Math.floor(random() * limit);
  }

  function anyOf<T>(values: readonly T[]): T {
    return values[below(values.length)] as T;
  }

  function shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, place: random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ value }) => value);
  }

  return { anyCase, anyOffer, anyOf, grown, shuffled };
}
