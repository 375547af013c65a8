import * as z from 'zod';
import { named } from '../common/common.ts';

/** Why no graphics card is used, for programs. */
export const CardProblemKind = z.enum([
  'no-card',
  'no-such-card',
  'no-loader',
  'no-driver',
  'no-access',
  'no-memory',
  'not-included',
  'driver-crashed',
  'driver-silent',
  'driver-failed',
  'card-lost',
  'interrupted',
  'switched-off',
]);
export type CardProblemKind = z.infer<typeof CardProblemKind>;

/** Why no graphics card is used, for a person. */
export const CardProblem = named('CardProblem', {
  kind: CardProblemKind,
  /** What happened and the likely cause. */
  message: z.string(),
  /** The one thing to do. */
  action: z.string(),
});
export type CardProblem = z.infer<typeof CardProblem>;

/** The part of an endpoint's model on a graphics card. */
export const CardUse = named('CardUse', {
  /** The name of the card. */
  card: z.string(),
  /** Of the model, its output layer counted. */
  layers: z.int().min(0),
  totalLayers: z.int().min(1),
  /** The memory of the card that it holds: weights, cache and buffers. */
  memoryBytes: z.int().min(0),
});
export type CardUse = z.infer<typeof CardUse>;

/** A graphics card of this machine that models can use. */
export const GraphicsCard = named('GraphicsCard', {
  /** Its place in the list, by which an endpoint names it. */
  index: z.int().min(0),
  name: z.string(),
  /** The interface that models use it by. */
  api: z.enum(['vulkan', 'metal']),
  /** The name of its driver; null: unknown. */
  driver: z.string().nullable(),
  totalBytes: z.int().min(0),
  /** When last measured. */
  freeBytes: z.int().min(0),
  /** Whether its memory is part of the machine's, so that it counts once. */
  sharesMemory: z.boolean(),
});
export type GraphicsCard = z.infer<typeof GraphicsCard>;

/** The graphics cards of this machine, and what uses them. */
export const GraphicsCards = named('GraphicsCards', {
  /** Whether models may use them, as the user has set it. */
  isOn: z.boolean(),
  cards: z.array(
    GraphicsCard.extend({
      users: z.array(z.object({ namespace: z.string(), name: z.string(), use: CardUse })),
    }),
  ),
  /** Percent of the time in which the cards computed, the mean of all; null: unknown. */
  usagePercent: z.number().min(0).nullable(),
  /** Null: there is none, as on a machine without a graphics card. */
  problem: CardProblem.nullable(),
  /** Whether a card has failed, and is tried again only on request. */
  canTryAgain: z.boolean(),
});
export type GraphicsCards = z.infer<typeof GraphicsCards>;
