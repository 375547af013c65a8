import type { ComputeOffer } from '../../catalog/compute/compute-offer.ts';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { Compute } from '../../contract/compute/endpoint-compute.ts';
import type { DeployConfig } from '../../contract/endpoints/deploy.ts';
import { type EndpointModel, EndpointTask, type Framework } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { changedParts } from './endpoint-change.ts';
import { nameTaken } from './endpoint-name.ts';
import { checkPrivateService, defaultSettings, type EndpointParts } from './endpoint-parts.ts';
import { type ChosenEngine, imageOf } from './engine-image.ts';
import { healthRouteOf } from './model-rules.ts';
import { type AddIssue, checked, under } from './problems.ts';
import { changedScaling, defaultScaling } from './scaling-rules.ts';

/** A deploy's config with its defaults filled in. */
export type DeployChoices = ReturnType<typeof deployChoices>;

/** Validates a deploy's config. @returns its choices; a name of null is to be generated */
export function deployChoices(config: DeployConfig, isTaken: (name: string) => boolean, addIssue: AddIssue) {
  const { name = null, type = 'authenticated', privateService = null } = config;
  if (name !== null && isTaken(name)) addIssue(['name'], nameTaken(name));
  checkPrivateService({ type, privateService }, addIssue);
  const scaling = changedScaling(defaultScaling, config.scaling ?? {}, under(addIssue, 'scaling'));
  return { name, type, scaling, privateService };
}

export interface CatalogDeploy extends ChosenEngine {
  readonly offer: ComputeOffer;
  readonly choices: DeployChoices;
  /** The chosen name, or a generated one. */
  readonly name: string;
}

/** Builds the endpoint of a deploy from the catalog. */
export function buildFromCatalog(deploy: CatalogDeploy): EndpointParts {
  const { entry, recipe, offer, choices, name } = deploy;
  const { vendor, region, accelerator, id, instanceType, instanceSize } = offer;
  const parts = completed({
    ...{ name, type: choices.type, provider: { vendor, region } },
    compute: { accelerator, id, instanceType, instanceSize, scaling: choices.scaling },
    model: {
      repository: entry.item.repoId,
      revision: recipe.revision ?? null,
      framework: frameworkOf(recipe),
      task: EndpointTask.safeParse(entry.item.task).data ?? 'custom',
      ...{ fromCatalog: true, image: imageOf(deploy) },
    },
  });
  return { ...parts, privateService: choices.privateService };
}

function frameworkOf({ engineType }: Recipe): Framework {
  return engineType === 'llamacpp' || engineType === 'custom' ? engineType : 'pytorch';
}

/**
 * Builds an endpoint from a complete request. Omitted and null members get their defaults.
 * @throws InvalidBody with every issue
 */
export function buildFromRequest(request: EndpointRequest, isTaken: (name: string) => boolean): EndpointParts {
  const { name, type, provider, ...wanted } = request;
  const { accelerator, instanceType, instanceSize } = wanted.compute;
  const { repository, framework, image } = wanted.model;
  const before = completed({
    ...{ name, type, provider },
    compute: { accelerator, instanceType, instanceSize },
    model: { repository, framework, image },
  });
  return checked((addIssue) => {
    if (isTaken(name)) addIssue(['name'], nameTaken(name));
    return changedParts(before, wanted, addIssue);
  });
}

type Named<Of, Required extends keyof Of> = Pick<Of, Required> & Partial<Of>;

/** An endpoint with defaults for all that is not given. */
function completed({
  name,
  type,
  provider,
  compute,
  model,
}: Pick<EndpointParts, 'name' | 'type' | 'provider'> & {
  readonly compute: Named<Compute, 'accelerator' | 'instanceType' | 'instanceSize'>;
  readonly model: Named<EndpointModel, 'repository' | 'framework' | 'image'>;
}): EndpointParts {
  const { accelerator, id = null, instanceType, instanceSize, scaling = defaultScaling } = compute;
  const { repository, framework, image } = model;
  const unset = {
    ...({ repository, revision: null, framework, task: 'custom' } as const),
    ...{ args: null, command: null, env: {}, secrets: {}, fromCatalog: false },
  };
  return {
    ...{ name, type, accountId: null, healthRoute: healthRouteOf(image), provider },
    compute: { accelerator, id, instanceType, instanceSize, scaling },
    model: { ...unset, ...model },
    ...defaultSettings,
  };
}
