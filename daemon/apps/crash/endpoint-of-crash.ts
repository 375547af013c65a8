import type { CrashDiagnosis } from '../../contract/apps/diagnosis.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { checkEndpoint } from '../needs/errors.ts';
import type { NeedAfterRun } from '../needs/run-needs.ts';
import { causeKind } from './crash-causes.ts';
import { missingEndpoint } from './crash-rules.ts';

/** The signs of a request that failed. */
const failedRequest = /\b(?:40[0134]|429|50\d)\b|connect/i;
const hosts = /(?:\w+:\/\/(?:[^\s/@'"]*@)?|host=')([\w.-]+|\[[\da-f:]+\])/gi;

/**
 * Names the assigned endpoint in the diagnosis of a crash: the one that the output names or, after a request that failed,
 * the one that is not ready now. Crashes that name another server are left as they are.
 */
export function withEndpoint(diagnosis: CrashDiagnosis, needs: readonly NeedAfterRun[]): CrashDiagnosis {
  const { cause, evidence } = diagnosis;
  const endpoints = needs.filter((need): need is ServedNeed => need.url !== null && need.endpoint !== null);
  const isService = causeKind[cause] === 'service';
  if (endpoints.length === 0 || !(isService || evidence.some((line) => failedRequest.test(line)))) return diagnosis;
  const named = endpoints.find((each) => evidence.some((line) => names(line, each)));
  const own = named ?? (isAboutOthers(evidence, endpoints) ? undefined : unnamed(endpoints, isService));
  if (!own) return diagnosis;
  const { endpoint, need, trouble } = own;
  if (!isService && trouble === null) return diagnosis;
  const found = { ...diagnosis, cause: 'endpoint-failed' as const, action: checkEndpoint(endpoint, need), endpoint };
  if (cause === 'endpoint-failed') return found;
  const how = trouble === null ? 'failed while it ran.' : `is not ready. ${trouble}`;
  return { ...found, message: `The endpoint ${endpointId(endpoint)}, which it uses for "${need}", ${how}` };
}

/** A need that the run had an endpoint for. */
type ServedNeed = NeedAfterRun & { readonly url: string; readonly endpoint: EndpointRef };

function unnamed(endpoints: readonly ServedNeed[], isService: boolean): ServedNeed | undefined {
  const [only, ...others] = endpoints;
  return endpoints.find(({ trouble }) => trouble !== null) ?? (isService && others.length === 0 ? only : undefined);
}

function names(line: string, { endpoint }: ServedNeed): boolean {
  return new RegExp(`(?<![a-z0-9-])${endpointId(endpoint)}(?![a-z0-9-])`).test(line);
}

/** Whether the lines name hosts, and none of them is that of the endpoints. */
function isAboutOthers(lines: readonly string[], endpoints: readonly ServedNeed[]): boolean {
  const own = new Set(endpoints.map(({ url }) => new URL(url).hostname));
  const named = lines.flatMap((line) => [...line.matchAll(hosts)].map(([, host = '']) => host.toLowerCase()));
  return named.length > 0 && !named.some((host) => own.has(host) || host === 'localhost');
}

type Texts = Pick<CrashDiagnosis, 'message' | 'action' | 'need' | 'endpoint'>;

/** Says why a run had no endpoint for a need that it used: none is assigned, its endpoint was left out, or it is not declared. */
export function withMissingNeed(diagnosis: CrashDiagnosis, needs: readonly NeedAfterRun[]): CrashDiagnosis {
  if (diagnosis.cause !== 'endpoint-missing') return diagnosis;
  const used = diagnosis.evidence.map((line) => missingEndpoint.exec(line)?.groups?.['need']).find((need) => need);
  const declared = needs.find(({ need }) => need === used);
  if (used === undefined || (declared && declared.url !== null)) return diagnosis;
  return { ...diagnosis, ...textsOf(used, declared) };
}

function textsOf(used: string, declared: NeedAfterRun | undefined): Texts {
  if (!declared) {
    return {
      message: `It used a model for "${used}", a need that it does not declare.`,
      action: `Ask its author to declare ${used} in [tool.robot.needs] of its pyproject.toml, or, in an app of your own, declare it and install the app again.`,
    };
  }
  const { need, task, endpoint, trouble } = declared;
  if (!endpoint) {
    return {
      message: `It used a model for "${need}" (${task}), and none is chosen for it.`,
      action: `Choose a model for "${need}" on the app's page, then start it again.`,
      need,
    };
  }
  return {
    message:
      `It used a model for "${need}", and was started without it: the endpoint ${endpointId(endpoint)} could not be used then. ${trouble ?? ''}`.trim(),
    action: checkEndpoint(endpoint, need),
    need,
    endpoint,
  };
}
