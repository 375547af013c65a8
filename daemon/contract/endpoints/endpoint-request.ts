import * as z from 'zod';
import { ComputeAccelerator, Provider, ScalingFields, WantedReplicas } from '../compute/endpoint-compute.ts';
import {
  AllowedOrigins,
  CustomRouter,
  EndpointName,
  type EndpointSetting,
  EndpointType,
  ExperimentalFeatures,
  Network,
  NOT_USED_HERE,
  Notifications,
  Route,
  Tags,
  WantedPrivateService,
} from './endpoint.ts';
import { modelFields } from './endpoint-model.ts';
import { toSpecificationNames } from './hub-dialect.ts';

const computeFields = {
  accelerator: ComputeAccelerator,
  /** Ignored. */
  id: z.string().nullable().optional(),
  instanceType: z.string().min(1).max(100),
  instanceSize: z.string().min(1).max(100),
};

/** `tag` null or absent: no custom router. */
const customRouter = CustomRouter.partial().extend({ tag: CustomRouter.shape.tag.nullable().optional() });

/** The optional fields of an endpoint. A null member gets its default. */
const choices = {
  accountId: z.string().nullable().optional().meta({ description: 'Read and ignored' }),
  allowedOrigins: AllowedOrigins.optional().describe(
    'Origins of web pages that may use the endpoint, such as `http://localhost:5173`; `*`, for type public only: every page',
  ),
  cacheHttpResponses: z.boolean().optional(),
  customRouter: customRouter.nullable().optional().describe(NOT_USED_HERE),
  experimentalFeatures: ExperimentalFeatures.partial().optional(),
  network: Network.partial().nullable().optional(),
  notifications: Notifications.optional(),
  privateService: WantedPrivateService.nullable().optional().describe(NOT_USED_HERE),
  route: Route.nullable().optional().describe(NOT_USED_HERE),
  tags: Tags.optional(),
} satisfies Readonly<Record<EndpointSetting | 'accountId', z.ZodType>>;

const model = z
  .strictObject({ ...modelFields, task: modelFields.task.nullable() })
  .partial({ revision: true, task: true, args: true, command: true, env: true, secrets: true, fromCatalog: true });

/** A request for a new endpoint. */
export const EndpointRequest = z
  .preprocess(
    toSpecificationNames,
    z.strictObject({
      name: EndpointName,
      type: EndpointType,
      provider: Provider,
      compute: z.strictObject({
        ...computeFields,
        scaling: ScalingFields.extend({ minReplica: WantedReplicas, maxReplica: WantedReplicas }),
        mayUseProcessor: z
          .boolean()
          .optional()
          .describe('Whether it runs on the processor where its graphics card cannot be used. Default: it fails'),
      }),
      model,
      ...choices,
    }),
  )
  .meta({ id: 'EndpointRequest' });
export type EndpointRequest = z.infer<typeof EndpointRequest>;

/**
 * A change of an endpoint: only the members that are sent. `image`, lists, `env` and `secrets` are replaced entirely; a
 * null secret keeps its value. `customRouter: null` changes nothing; a `customRouter` without `tag` removes it.
 */
export const EndpointChange = z
  .preprocess(
    toSpecificationNames,
    z.strictObject({
      type: EndpointType.optional(),
      provider: Provider.optional(),
      compute: z
        .strictObject({ ...computeFields, scaling: ScalingFields })
        .partial()
        .optional(),
      model: model.partial().optional(),
      ...choices,
      /** If the endpoint has a route, one member is enough. */
      route: Route.partial().nullable().optional(),
    }),
  )
  .meta({ id: 'EndpointChange' });
export type EndpointChange = z.infer<typeof EndpointChange>;
