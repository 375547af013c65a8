import type { Issue } from '../../../daemon/contract/common/common.ts';
import { TOO_MANY_REPLICAS } from '../../../daemon/contract/compute/scaling-limits.ts';
import { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import type { EndpointType, PrivateService } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointRequest } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { belowMinText, dashText, noAccountText, wholeNumberText } from './deploy-text.ts';

/** The channels by which the owner of an endpoint gets its notifications. */
export type WantedNotifications = NonNullable<EndpointRequest['notifications']>;

/** The form's fields as typed. */
export interface DeployValues {
  readonly name: string;
  readonly type: EndpointType;
  readonly minReplica: string;
  readonly maxReplica: string;
  /** Minutes. */
  readonly scaleToZeroTimeout: string;
  readonly notifications: WantedNotifications;
  readonly hasPrivateService: boolean;
  readonly accountId: string;
  readonly region: PrivateService['region'];
  readonly shared: boolean;
}

const fields = [
  'name',
  'type',
  'minReplica',
  'maxReplica',
  'scaleToZeroTimeout',
  'accountId',
  'region',
  'shared',
] as const satisfies readonly (keyof DeployValues)[];
export type DeployField = (typeof fields)[number];
/** A message for each invalid field. */
export type DeployProblems = { readonly [F in DeployField]?: string };

/** The same defaults as the daemon's. */
export const defaultValues = (name: string): DeployValues => ({
  name,
  type: 'authenticated',
  minReplica: '0',
  maxReplica: '1',
  scaleToZeroTimeout: '15',
  notifications: { push: false, email: false },
  hasPrivateService: false,
  accountId: '',
  region: 'us-east-1',
  shared: false,
});

const fieldMessages: DeployProblems = {
  minReplica: wholeNumberText,
  maxReplica: wholeNumberText,
  scaleToZeroTimeout: wholeNumberText,
  accountId: noAccountText,
};

/** Parses digits only; otherwise NaN. */
const wholeNumber = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);

/** Whether the endpoint can scale to zero. */
export const canSleep = ({ minReplica }: DeployValues): boolean => !(wholeNumber(minReplica) > 0);

/** Builds the request's config, not validated. */
export function configOf(values: DeployValues): DeployConfig {
  const { name, type, hasPrivateService, accountId, region, shared } = values;
  const scaling = {
    minReplica: wholeNumber(values.minReplica),
    maxReplica: wholeNumber(values.maxReplica),
    ...(canSleep(values) && { scaleToZeroTimeout: wholeNumber(values.scaleToZeroTimeout) }),
  };
  const privateService = { accountId: accountId.trim(), region, shared };
  return { name: name.trim(), type, scaling, ...(type === 'private' && hasPrivateService && { privateService }) };
}

/** The wanted notifications; undefined: none. */
export function notificationsOf({ notifications }: DeployValues): WantedNotifications | undefined {
  return notifications.push || notifications.email ? notifications : undefined;
}

/** Validates the form by the daemon's schema, and the replica counts against each other. */
export function problemsOf(values: DeployValues): DeployProblems {
  const config = configOf(values);
  const problems = problemsAt(DeployConfig.safeParse(config).error?.issues ?? []);
  for (const field of fields) {
    const text = fieldMessages[field];
    if (text && problems[field] && problems[field] !== TOO_MANY_REPLICAS) Object.assign(problems, { [field]: text });
  }
  // The interface accepts it; in a terminal it would be an option.
  if (!problems.name && config.name?.startsWith('-')) Object.assign(problems, { name: dashText });
  const { minReplica = 0, maxReplica = 0 } = config.scaling ?? {};
  if (minReplica <= maxReplica || problems.minReplica || problems.maxReplica) return problems;
  return { ...problems, maxReplica: belowMinText(minReplica) };
}

/** Maps issues to form fields by the last part of their path. */
export function problemsAt(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): DeployProblems {
  const found = issues.flatMap((issue) => {
    const field = fieldAt(issue);
    return field ? [[field, sentence(issue.message)] as const] : [];
  });
  // The first of several issues wins.
  return Object.fromEntries(found.reverse());
}

/** The issues that belong to no form field. */
export const otherProblems = (issues: readonly Issue[]): readonly Issue[] => issues.filter((issue) => !fieldAt(issue));

function fieldAt({ path }: { readonly path: readonly PropertyKey[] }): DeployField | undefined {
  return fields.find((field) => field === path.at(-1));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
