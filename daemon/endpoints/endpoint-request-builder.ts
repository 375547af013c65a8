import type { EndpointRequest } from '../contract/endpoint-request.ts';
import { changedParts } from './endpoint-change.ts';
import { checkName } from './endpoint-name.ts';
import { type EndpointParts, plainChoices } from './endpoint-parts.ts';
import { HEALTH_ROUTE } from './model-rules.ts';
import { Problems, under } from './problems.ts';
import { plainScaling } from './scaling-rules.ts';

/**
 * An endpoint of which its maker chose everything; what is left out or null is as it is by default.
 * @throws InvalidBody with all that does not make sense
 */
export function buildFromRequest(request: EndpointRequest, isTaken: (name: string) => boolean): EndpointParts {
  const { name, ...wanted } = request;
  const problems = new Problems();
  checkName(name, isTaken, under(problems.complain, 'name'));
  const parts = changedParts(plain(request), wanted, problems.complain);
  problems.refuse();
  return parts;
}

/** The endpoint as if nothing was said of it but what must be. */
function plain({ name, type, provider, compute, model }: EndpointRequest): EndpointParts {
  const { accelerator, instanceType, instanceSize } = compute;
  const { repository, framework, image } = model;
  return {
    name,
    type,
    accountId: null,
    healthRoute: HEALTH_ROUTE,
    provider,
    compute: { accelerator, id: null, instanceType, instanceSize, scaling: plainScaling },
    model: {
      ...{ repository, revision: null, framework, task: 'custom', image },
      ...{ args: null, command: null, env: {}, secrets: {}, fromCatalog: false },
    },
    ...plainChoices,
  };
}
