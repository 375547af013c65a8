import * as z from 'zod';
import { named } from '../common/common.ts';
import { Transfer, WorkStep } from '../common/progress.ts';
import { CardProblem, CardUse } from '../compute/graphics-cards.ts';

/** Why an endpoint failed, for a person. */
export const EndpointFailure = named('EndpointFailure', {
  /** A stable code for programs. */
  reason: z.enum([
    'no-runtime',
    'container-engine',
    'image',
    'hub',
    /** The hub does not have the model for this account, or does not accept its token. */
    'hub-access',
    'model-missing',
    'model-damaged',
    'model-unsupported',
    'no-memory',
    'no-card-memory',
    'graphics-card',
    'disk-full',
    'data-folder-read-only',
    'invalid-setting',
    'secret-unreadable',
    'crashed',
    'timeout',
    'internal',
  ]),
  /** The failure and its likely cause. */
  message: z.string(),
  /** The one thing to do. */
  action: z.string(),
  /** The lines of the log that show it, at most 12. */
  evidence: z.array(z.string()),
});
export type EndpointFailure = z.infer<typeof EndpointFailure>;

/** The way of an endpoint from its deploy, or from its sleep, to its first answer. */
export const EndpointProgress = named('EndpointProgress', {
  steps: z.array(WorkStep),
  /** The current download; null: none. */
  transfer: Transfer.nullable(),
  /** How far the current step is where no bytes are known, such as "3 of 7 layers"; null: unknown. */
  detail: z.string().nullable(),
});
export type EndpointProgress = z.infer<typeof EndpointProgress>;

export const ReplicaReport = named('ReplicaReport', {
  id: z.string(),
  /** The leader of its processes; null: it is a container. */
  pid: z.int().nullable(),
  /** The id of its container; null: it is a process. */
  container: z.string().nullable(),
  /**
   * `silent`: it does not answer, and gets no new requests until it does. `draining`: it gets no new requests, and ends
   * after those that it has.
   */
  state: z.enum(['starting', 'ready', 'silent', 'draining']),
  /** The requests that it has now. */
  requests: z.int().min(0),
  /** The number of generations that it answers at the same time; further ones wait for their turn. null: its program decides. */
  slots: z.int().min(1).nullable(),
  /** Resident memory in bytes; null: unknown. */
  memoryBytes: z.int().nullable(),
  /** The processor time of the last seconds; 100: one processor was busy. null: unknown. */
  cpuPercent: z.number().min(0).nullable(),
  /** Its part on a graphics card; null: none, or its program does not tell. */
  cardUse: CardUse.nullable(),
});
export type ReplicaReport = z.infer<typeof ReplicaReport>;

/** The current activity of an endpoint. */
export const EndpointReport = named('EndpointReport', {
  /** The program that serves it, with its version; null: none yet. */
  runtime: z.string().nullable(),
  /** Whether a request, or a person, woke it from its sleep and it is not ready yet. */
  isWaking: z.boolean(),
  /** null: it is not being started. */
  progress: EndpointProgress.nullable(),
  /** The last failure, until the endpoint is ready again. */
  failure: EndpointFailure.nullable(),
  replicas: z.array(ReplicaReport),
  /** Why it runs on the processor, although it was deployed on the graphics card; null: it does not. */
  notOnCard: CardProblem.nullable(),
  /** Why it has as many replicas as it has, in one sentence; null: its settings allow only one number. */
  scaling: z.string().nullable(),
  /** Whether its model has no chat template and none was chosen: it continues text, and refuses chats. */
  lacksChatTemplate: z.boolean(),
  /** The settings that have no effect on this machine, by their names in the endpoint. */
  unused: z.array(z.string()),
});
export type EndpointReport = z.infer<typeof EndpointReport>;
