import type { ComputeOffer } from '../../catalog/compute/compute-offer.ts';
import type { Recipe } from '../../contract/catalog/catalog.ts';
import type { Compute, Provider, Scaling } from '../../contract/compute/endpoint-compute.ts';
import type { DeployConfig } from '../../contract/endpoints/deploy.ts';
import type { EndpointType, PrivateService } from '../../contract/endpoints/endpoint.ts';
import { type EndpointModel, EndpointTask, type Framework } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { changedParts } from './endpoint-change.ts';
import { checkName } from './endpoint-name.ts';
import { checkPrivateService, defaultSettings, type EndpointParts } from './endpoint-parts.ts';
import { type ChosenEngine, imageOf } from './engine-image.ts';
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
  const problems = new Problems();
  checkName(name, isTaken, under(problems.addIssue, 'name'));
  const { accelerator, instanceType, instanceSize } = wanted.compute;
  const { repository, framework, image } = wanted.model;
  const before = completed({
    ...{ name, type, provider },
    compute: { accelerator, instanceType, instanceSize },
    model: { repository, framework, image },
  });
  const parts = changedParts(before, wanted, problems.addIssue);
  problems.throwIfAny();
  return parts;
}

type Named<Of, Required extends keyof Of> = Pick<Of, Required> & Partial<Of>;

/** An endpoint with defaults for all that is not given. */
function completed(given: {
  readonly name: string;
  readonly type: EndpointType;
  readonly provider: Provider;
  readonly compute: Named<Compute, 'accelerator' | 'instanceType' | 'instanceSize'>;
  readonly model: Named<EndpointModel, 'repository' | 'framework' | 'image'>;
}): EndpointParts {
  const { name, type, provider, compute, model } = given;
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
