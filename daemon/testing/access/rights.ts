import type { Right } from '../../contract/operations/operation.ts';

/** The columns of the table. */
export const rights = ['deployer', 'deployer-here', 'deployer-of-all', 'owner', 'own-user'] as const satisfies Right[];

/** May call it, or the status of the refusal. */
type Answer = 'yes' | 401 | 403;

/**
 * The right to call an operation, by its `caller`. A row is what a request comes with: from this machine (`here`), or from another
 * one. What an operation is about, such as a namespace, may limit it further.
 */
export const answers = {
  'nothing, here': [401, 401, 401, 401, 401],
  'scope daemon, here': [401, 401, 401, 401, 401],
  'scope of an endpoint, here': [401, 401, 401, 401, 401],
  'scope deploy, some namespaces, here': ['yes', 'yes', 403, 403, 403],
  'scope deploy, here': ['yes', 'yes', 'yes', 403, 403],
  'dashboard, signed in with a token for some namespaces': ['yes', 'yes', 403, 'yes', 403],
  'dashboard, signed in': ['yes', 'yes', 'yes', 'yes', 'yes'],
  'command of the terminal': ['yes', 'yes', 'yes', 'yes', 'yes'],
  'nothing, from another machine': [401, 401, 401, 401, 401],
  'scope daemon, from another machine': [401, 401, 401, 401, 401],
  'scope deploy, some namespaces, from another machine': ['yes', 401, 401, 401, 401],
  'scope deploy, from another machine': ['yes', 401, 401, 401, 401],
  'scopes daemon and deploy, from another machine': ['yes', 'yes', 'yes', 403, 403],
} as const satisfies Readonly<Record<string, readonly [Answer, Answer, Answer, Answer, Answer]>>;

export type Sender = keyof typeof answers;
