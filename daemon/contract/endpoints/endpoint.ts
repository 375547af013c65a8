import * as z from 'zod';
import { Timestamp } from '../common/common.ts';
import { Compute, Provider } from '../compute/endpoint-compute.ts';
import { EndpointModel } from './endpoint-model.ts';
import { Environment } from './endpoint-values.ts';

export const EndpointName = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'lower-case letters, digits and -, at most 32 of them')
  .meta({ id: 'EndpointName' });

/** Whose endpoints they are. */
export const Namespace = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'lower-case letters, digits and -, at most 64 of them')
  .meta({ id: 'Namespace' });

/** Who may use an endpoint: everyone, everyone with a token, its owner alone. */
export const EndpointType = z.enum(['public', 'authenticated', 'private']);
export type EndpointType = z.infer<typeof EndpointType>;

const port = z.int32().min(0).max(65_535);

/** A sidecar that shares requests out among the replicas. */
export const CustomRouter = z.strictObject({
  env: Environment,
  /** Of its external processor, used with `extProc`. */
  grpcPort: port.nullable(),
  port: port.nullable(),
  protocol: z.enum(['http', 'extProc']),
  /** Of its image. */
  tag: z.string().min(1).max(200),
});
export type CustomRouter = z.infer<typeof CustomRouter>;

export const LoadBalancer = z.enum(['random', 'sticky', 'least_connections']);

export const ExperimentalFeatures = z.strictObject({
  /** The same as the endpoint's own member. */
  cacheHttpResponses: z.boolean(),
  /** Of no effect where a custom router or `mcpLb` shares requests out. */
  loadBalancer: LoadBalancer.nullable(),
  mcpLb: z.strictObject({ stateful: z.boolean() }).nullable(),
  skipRepoDownload: z.boolean().nullable(),
});

/** Which addresses may reach an endpoint; `cidrBlock` says whether the list counts. */
export const Network = z.strictObject({
  cidrBlock: z.boolean().nullable(),
  cidrList: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .max(1_000)
    .nullable(),
});

export const Notifications = z.strictObject({ email: z.boolean(), push: z.boolean() });

export const PrivateServiceRegion = z.enum(['us-east-1', 'eu-west-1']);

/** The private link that a private endpoint can be reached by. */
export const PrivateService = z.strictObject({
  accountId: z.string().min(1).max(200),
  region: PrivateServiceRegion,
  shared: z.boolean().optional(),
});
export type PrivateService = z.infer<typeof PrivateService>;

/** The same as it may be asked for: the region has a default. */
export const WantedPrivateService = PrivateService.extend({ region: PrivateServiceRegion.default('us-east-1') });

/** A path behind a domain of the owner's own. */
export const Route = z.strictObject({ domain: z.string().min(1).max(253), path: z.string().startsWith('/').max(500) });

export const Tags = z.array(z.string().min(1).max(100)).max(100);

export const EndpointState = z.enum([
  'pending',
  'initializing',
  'updating',
  'updateFailed',
  'running',
  'paused',
  'failed',
  'scaledToZero',
]);
export type EndpointState = z.infer<typeof EndpointState>;

const Person = z.strictObject({ id: z.string(), name: z.string() });
export type Person = z.infer<typeof Person>;

/** How an endpoint is doing. */
export const EndpointStatus = z
  .strictObject({
    state: EndpointState,
    /** What that means now, in one sentence. */
    message: z.string(),
    /** What went wrong; only in a state of failure. */
    errorMessage: z.string().optional(),
    /** Where it answers; only while it runs. */
    url: z.string().optional(),
    createdAt: Timestamp,
    createdBy: Person,
    updatedAt: Timestamp,
    updatedBy: Person,
    private: z.strictObject({ serviceName: z.string() }).nullable(),
    readyReplica: z.int32().min(0),
    targetReplica: z.int32().min(0),
  })
  .meta({ id: 'EndpointStatus' });
export type EndpointStatus = z.infer<typeof EndpointStatus>;

/** A model that can be, or is to be, served. Beyond the specification: `accountId`, `healthRoute` and `status`. */
export const Endpoint = z
  .strictObject({
    name: EndpointName,
    type: EndpointType,
    accountId: z.null(),
    /** What its clients ask whether it can be used. */
    healthRoute: z.string(),
    provider: Provider,
    compute: Compute,
    model: EndpointModel,
    cacheHttpResponses: z.boolean(),
    customRouter: CustomRouter.nullable(),
    experimentalFeatures: ExperimentalFeatures,
    network: Network.nullable(),
    notifications: Notifications,
    privateService: PrivateService.nullable(),
    route: Route.nullable(),
    tags: Tags,
    status: EndpointStatus,
  })
  .meta({ id: 'Endpoint' });
export type Endpoint = z.infer<typeof Endpoint>;

export const EndpointPage = z
  .strictObject({
    items: z.array(Endpoint),
    /** Give it as `cursor` to read on; absent after the last one. */
    nextCursor: z.string().optional(),
  })
  .meta({ id: 'EndpointPage' });
export type EndpointPage = z.infer<typeof EndpointPage>;

/** How many endpoints there are, and when one of them last changed: a page that shows some fetches them anew then. */
export const EndpointsStatus = z
  .object({ total: z.int(), revision: z.int(), states: z.partialRecord(EndpointState, z.int()) })
  .meta({ id: 'EndpointsStatus' });
export type EndpointsStatus = z.infer<typeof EndpointsStatus>;

/** An endpoint as a person sees it: whose it is, and what was weighed when it was made. */
export const OwnEndpoint = z
  .object({ namespace: Namespace, endpoint: Endpoint, reasons: z.array(z.string()) })
  .meta({ id: 'OwnEndpoint' });
export type OwnEndpoint = z.infer<typeof OwnEndpoint>;

export const EndpointListing = z
  .object({
    endpoints: z.array(OwnEndpoint),
    matches: z.int(),
    page: z.int(),
    pages: z.int(),
    status: EndpointsStatus,
  })
  .meta({ id: 'EndpointListing' });
export type EndpointListing = z.infer<typeof EndpointListing>;
