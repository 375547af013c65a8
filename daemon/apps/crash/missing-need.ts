import type { CrashDiagnosis } from '../../contract/apps/diagnosis.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { checkEndpoint } from '../needs/errors.ts';
import type { UnservedNeed, UsedEndpoint } from '../needs/run-needs.ts';
import { missingEndpoint } from './rules/code-rules.ts';

type Texts = Pick<CrashDiagnosis, 'message' | 'action' | 'need' | 'endpoint'>;

interface NeedsOfRun {
  readonly endpoints?: readonly UsedEndpoint[];
  readonly unserved?: readonly UnservedNeed[];
}

/** Says why a run had no endpoint for a need that it used: none is assigned, its endpoint was left out, or it is not declared. */
export function withMissingNeed(
  diagnosis: CrashDiagnosis,
  { endpoints = [], unserved = [] }: NeedsOfRun,
): CrashDiagnosis {
  if (diagnosis.cause !== 'endpoint-missing') return diagnosis;
  const used = diagnosis.evidence.map((line) => missingEndpoint.exec(line)?.groups?.['need']).find((need) => need);
  if (used === undefined || endpoints.some(({ need }) => need === used)) return diagnosis;
  return {
    ...diagnosis,
    ...textsOf(
      used,
      unserved.find(({ need }) => need === used),
    ),
  };
}

function textsOf(used: string, declared: UnservedNeed | undefined): Texts {
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
