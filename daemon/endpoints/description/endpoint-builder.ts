import type { CatalogEntry } from '../../catalog/catalog-entry.ts';
import type { ComputeOffer } from '../../catalog/compute/compute-offer.ts';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import type { DeployConfig } from '../../contract/endpoints/deploy.ts';
import type { EndpointType, PrivateService } from '../../contract/endpoints/endpoint.ts';
import { EndpointTask, type Framework } from '../../contract/endpoints/endpoint-model.ts';
import { checkName } from './endpoint-name.ts';
import { checkPrivateService, defaultChoices, type EndpointParts } from './endpoint-parts.ts';
import { imageOf } from './engine-image.ts';
import { healthRouteOf } from './model-rules.ts';
import { Problems, under } from './problems.ts';
import { changedScaling, defaultScaling } from './scaling-rules.ts';

/** A deploy's config with its defaults filled in. */
export interface DeployChoices {
  /** Null: a name is to be generated. */
  readonly name: string | null;
  readonly type: EndpointType;
  readonly scaling: Scaling;
  readonly privateService: PrivateService | null;
}

/**
 * Validates a deploy's config.
 * @param problems the issues found so far
 * @throws InvalidBody with every issue; paths begin with `config`
 */
export function deployChoices(
  config: DeployConfig,
  isTaken: (name: string) => boolean,
  problems: Problems = new Problems(),
): DeployChoices {
  const addIssue = under(problems.addIssue, 'config');
  const { name = null, type = 'authenticated', privateService = null } = config;
  if (name !== null) checkName(name, isTaken, under(addIssue, 'name'));
  checkPrivateService({ type, privateService }, addIssue);
  const scaling = changedScaling(defaultScaling, config.scaling ?? {}, under(addIssue, 'scaling'));
  problems.throwIfAny();
  return { name, type, scaling, privateService };
}

export interface CatalogDeploy {
  readonly entry: CatalogEntry;
  readonly recipe: Recipe;
  readonly offer: ComputeOffer;
  readonly choices: DeployChoices;
  /** The chosen name, or a generated one. */
  readonly name: string;
  /** Tokens; null: the engine's own choice. */
  readonly ctxSize: number | null;
  /** The number of accelerators that share one copy of the model; null: the engine's own choice. */
  readonly tensorParallelSize: number | null;
}

/** Builds the endpoint of a deploy from the catalog. */
export function buildFromCatalog(deploy: CatalogDeploy): EndpointParts {
  const { entry, recipe, offer, choices, name } = deploy;
  const image = imageOf(deploy);
  return {
    name,
    type: choices.type,
    accountId: null,
    healthRoute: healthRouteOf(image),
    provider: { vendor: offer.vendor, region: offer.region },
    compute: {
      accelerator: offer.accelerator,
      id: offer.id,
      instanceType: offer.instanceType,
      instanceSize: offer.instanceSize,
      scaling: choices.scaling,
    },
    model: {
      repository: entry.item.repoId,
      revision: recipe.revision ?? null,
      framework: frameworkOf(recipe),
      task: EndpointTask.safeParse(entry.item.task).data ?? 'custom',
      ...{ args: null, command: null, env: {}, secrets: {}, fromCatalog: true, image },
    },
    ...defaultChoices,
    privateService: choices.privateService,
  };
}

function frameworkOf({ engineType }: Recipe): Framework {
  return engineType === 'llamacpp' || engineType === 'custom' ? engineType : 'pytorch';
}
