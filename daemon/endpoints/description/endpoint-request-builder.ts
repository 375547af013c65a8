import type { EndpointRequest } from '../../contract/endpoints/endpoint-request.ts';
import { changedParts } from './endpoint-change.ts';
import { checkName } from './endpoint-name.ts';
import { defaultChoices, type EndpointParts } from './endpoint-parts.ts';
import { HEALTH_ROUTE } from './model-rules.ts';
import { Problems, under } from './problems.ts';
import { defaultScaling } from './scaling-rules.ts';

/**
 * Builds an endpoint from a complete request. Omitted and null members get their defaults.
 * @throws InvalidBody with every issue
 */
export function buildFromRequest(request: EndpointRequest, isTaken: (name: string) => boolean): EndpointParts {
  const { name, ...wanted } = request;
  const problems = new Problems();
  checkName(name, isTaken, under(problems.addIssue, 'name'));
  const parts = changedParts(withDefaults(request), wanted, problems.addIssue);
  problems.throwIfAny();
  return parts;
}

/** The endpoint with the required members of the request and defaults for all others. */
function withDefaults({ name, type, provider, compute, model }: EndpointRequest): EndpointParts {
  const { accelerator, instanceType, instanceSize } = compute;
  const { repository, framework, image } = model;
  return {
    name,
    type,
    accountId: null,
    healthRoute: HEALTH_ROUTE,
    provider,
    compute: { accelerator, id: null, instanceType, instanceSize, scaling: defaultScaling },
    model: {
      ...{ repository, revision: null, framework, task: 'custom', image },
      ...{ args: null, command: null, env: {}, secrets: {}, fromCatalog: false },
    },
    ...defaultChoices,
  };
}
