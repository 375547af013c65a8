import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { ComputeOffer } from '../catalog/compute-offer.ts';
import type { Recipe } from '../contract/catalog.ts';
import type { DeployConfig } from '../contract/deploy.ts';
import type { EndpointType, PrivateService } from '../contract/endpoint.ts';
import type { Scaling } from '../contract/endpoint-compute.ts';
import { EndpointTask, type Framework } from '../contract/endpoint-model.ts';
import { checkName } from './endpoint-name.ts';
import { checkPrivateService, type EndpointParts, plainChoices } from './endpoint-parts.ts';
import { imageOf } from './engine-image.ts';
import { healthRouteOf } from './model-rules.ts';
import { Problems, under } from './problems.ts';
import { changedScaling, plainScaling } from './scaling-rules.ts';

/** What a deploy's config comes to, its defaults filled in. */
export interface DeployChoices {
  /** Null: it is still to be made up. */
  readonly name: string | null;
  readonly type: EndpointType;
  readonly scaling: Scaling;
  readonly privateService: PrivateService | null;
}

/**
 * Looks whether a deploy's config makes sense, before anybody looks for a recipe.
 * @param problems what was wrong already
 * @throws InvalidBody with all that does not; paths begin with `config`
 */
export function deployChoices(
  config: DeployConfig,
  isTaken: (name: string) => boolean,
  problems: Problems = new Problems(),
): DeployChoices {
  const complain = under(problems.complain, 'config');
  const { name = null, type = 'authenticated', privateService = null } = config;
  if (name !== null) checkName(name, isTaken, under(complain, 'name'));
  checkPrivateService({ type, privateService }, complain);
  const scaling = changedScaling(plainScaling, config.scaling ?? {}, under(complain, 'scaling'));
  problems.refuse();
  return { name, type, scaling, privateService };
}

export interface CatalogDeploy {
  readonly entry: CatalogEntry;
  readonly recipe: Recipe;
  readonly offer: ComputeOffer;
  readonly choices: DeployChoices;
  /** The chosen name, or the one that was made up. */
  readonly name: string;
  /** Tokens; null: the engine's own choice. */
  readonly ctxSize: number | null;
  /** How many accelerators one copy of the model lies on; null: the engine's own choice. */
  readonly tensorParallelSize: number | null;
}

/** The endpoint that a deploy from the catalog makes. */
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
    ...plainChoices,
    privateService: choices.privateService,
  };
}

function frameworkOf({ engineType }: Recipe): Framework {
  return engineType === 'llamacpp' || engineType === 'custom' ? engineType : 'pytorch';
}
