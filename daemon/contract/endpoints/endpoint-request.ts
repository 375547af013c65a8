import * as z from 'zod';
import { ComputeAccelerator, Provider, Replicas, ScalingFields } from '../compute/endpoint-compute.ts';
import {
  CustomRouter,
  EndpointName,
  EndpointType,
  ExperimentalFeatures,
  Network,
  Notifications,
  Route,
  Tags,
  WantedPrivateService,
} from './endpoint.ts';
import { modelFields } from './endpoint-model.ts';
import { inOurWords } from './hub-dialect.ts';

const computeFields = {
  accelerator: ComputeAccelerator,
  /** For a person only: ignored. */
  id: z.string().nullable().optional(),
  instanceType: z.string().min(1).max(100),
  instanceSize: z.string().min(1).max(100),
};

/** `tag` null or absent: no custom router (any more). */
const customRouter = CustomRouter.partial().extend({ tag: CustomRouter.shape.tag.nullable().optional() });

/** What an endpoint may say beyond what it must. A member that is null is as if it had its default. */
const choices = {
  accountId: z.string().nullable().optional().meta({ description: 'Read and ignored' }),
  cacheHttpResponses: z.boolean().optional(),
  customRouter: customRouter.nullable().optional(),
  experimentalFeatures: ExperimentalFeatures.partial().optional(),
  network: Network.partial().nullable().optional(),
  notifications: Notifications.optional(),
  privateService: WantedPrivateService.nullable().optional(),
  route: Route.nullable().optional(),
  tags: Tags.optional(),
};

const model = z.strictObject({
  ...modelFields,
  revision: modelFields.revision.optional(),
  task: modelFields.task.nullable().optional(),
  args: modelFields.args.optional(),
  command: modelFields.command.optional(),
  env: modelFields.env.optional(),
  secrets: modelFields.secrets.optional(),
  fromCatalog: modelFields.fromCatalog.optional(),
});

/** A whole endpoint, as it is to be made. */
export const EndpointRequest = z
  .preprocess(
    inOurWords,
    z.strictObject({
      name: EndpointName,
      type: EndpointType,
      provider: Provider,
      compute: z.strictObject({
        ...computeFields,
        scaling: ScalingFields.extend({ minReplica: Replicas, maxReplica: Replicas }),
      }),
      model,
      ...choices,
    }),
  )
  .meta({ id: 'EndpointRequest' });
export type EndpointRequest = z.infer<typeof EndpointRequest>;

/**
 * What is to change of an endpoint: only the members that are sent. `image` and the lists are replaced whole, `env` and
 * `secrets` too; a secret that is null keeps the value that it has. `customRouter: null` changes nothing; without a
 * `tag` in it the custom router is removed.
 */
export const EndpointChange = z
  .preprocess(
    inOurWords,
    z.strictObject({
      type: EndpointType.optional(),
      provider: Provider.optional(),
      compute: z
        .strictObject({ ...computeFields, scaling: ScalingFields })
        .partial()
        .optional(),
      model: model.partial().optional(),
      ...choices,
      /** Of an endpoint that has one, one of its members is enough. */
      route: Route.partial().nullable().optional(),
    }),
  )
  .meta({ id: 'EndpointChange' });
export type EndpointChange = z.infer<typeof EndpointChange>;
