import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';

/** The most events that are kept of an endpoint. */
export const MAX_LIFE_EVENTS = 50;

/** An event in the life of an endpoint, with its cause. */
export const EndpointLifeEvent = named('EndpointLifeEvent', {
  at: Timestamp,
  /**
   * `scaled`: it is to have another number of replicas. `placed`: it runs on the processor instead of the graphics card, or
   * on the card again. `stopped`: it ended with the daemon.
   */
  kind: z.enum([
    'created',
    'starting',
    'waking',
    'ready',
    'asleep',
    'changed',
    'scaled',
    'placed',
    'updateFailed',
    'paused',
    'failed',
    'stopped',
  ]),
  /** Why, in one sentence. */
  cause: z.string().max(2_000),
});
export type EndpointLifeEvent = z.infer<typeof EndpointLifeEvent>;
