import * as z from 'zod';
import { named, namedStrictly, Timestamp } from '../common/common.ts';
import { Compute, Provider } from '../compute/endpoint-compute.ts';
import { EndpointLifeEvent } from './endpoint-life.ts';
import { EndpointModel } from './endpoint-model.ts';
import { EndpointReport } from './endpoint-report.ts';
import { EndpointTraffic } from './endpoint-traffic.ts';
import { Environment } from './endpoint-values.ts';

export const EndpointName = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'lower-case letters, digits and -, at most 32 of them')
  .meta({ id: 'EndpointName' });

/** The owner of endpoints. */
export const Namespace = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/, 'lower-case letters, digits and -, at most 64 of them')
  .meta({ id: 'Namespace' });

/** An endpoint by its name, which is unique in its namespace. It need not exist. */
export const EndpointRef = namedStrictly('EndpointRef', { namespace: Namespace, name: EndpointName });
export type EndpointRef = z.infer<typeof EndpointRef>;

/** Access to an endpoint: everyone, everyone with a token, its owner only. */
export const EndpointType = z.enum(['public', 'authenticated', 'private']);
export type EndpointType = z.infer<typeof EndpointType>;

const port = z.int32().min(0).max(65_535);

/** A sidecar that distributes requests among the replicas. */
export const CustomRouter = z.strictObject({
  env: Environment,
  /** The port of its external processor, for `extProc`. */
  grpcPort: port.nullable(),
  port: port.nullable(),
  protocol: z.enum(['http', 'extProc']),
  /** The tag of its image. */
  tag: z.string().min(1).max(200),
});
export type CustomRouter = z.infer<typeof CustomRouter>;

const LoadBalancer = z.enum(['random', 'sticky', 'least_connections']);

export const ExperimentalFeatures = z.strictObject({
  /** The same as the endpoint's own member. */
  cacheHttpResponses: z.boolean(),
  /** Ignored with a custom router or `mcpLb`. */
  loadBalancer: LoadBalancer.nullable(),
  mcpLb: z.strictObject({ stateful: z.boolean() }).nullable(),
  skipRepoDownload: z.boolean().nullable(),
});

/** The addresses that may reach an endpoint; `cidrBlock` enables the list. */
export const Network = z.strictObject({
  cidrBlock: z.boolean().nullable(),
  cidrList: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .max(1_000)
    .nullable(),
});

export const Notifications = z.strictObject({ email: z.boolean(), push: z.boolean() });

const PrivateServiceRegion = z.enum(['us-east-1', 'eu-west-1']);

/** The private link to a private endpoint. */
export const PrivateService = z.strictObject({
  accountId: z.string().min(1).max(200),
  region: PrivateServiceRegion,
  shared: z.boolean().optional(),
});
export type PrivateService = z.infer<typeof PrivateService>;

/** A private service in a request: the region has a default. */
export const WantedPrivateService = PrivateService.extend({ region: PrivateServiceRegion.default('us-east-1') });

/** A path on the owner's own domain. */
export const Route = z.strictObject({ domain: z.string().min(1).max(253), path: z.string().startsWith('/').max(500) });

/** In a list of origins: every page. */
export const ANY_ORIGIN = '*';
/** Of an origin: a scheme, a host name of 253 characters and a port fit in. */
export const MAX_ORIGIN_LENGTH = 300;
const MAX_ORIGINS = 20;

/** The origins of the web pages that may use an endpoint, as browsers send them: `http://localhost:5173`. */
export const AllowedOrigins = z
  .array(z.string().max(MAX_ORIGIN_LENGTH, `An origin has at most ${MAX_ORIGIN_LENGTH} characters.`))
  .max(MAX_ORIGINS, `An endpoint lists at most ${MAX_ORIGINS} origins.`);

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

/** The state of an endpoint. */
export const EndpointStatus = namedStrictly('EndpointStatus', {
  state: EndpointState,
  /** The state in one sentence. */
  message: z.string(),
  /** The failure; only in a failed state. */
  errorMessage: z.string().optional(),
  /** Its address on this daemon, with the host that the caller used; it answers once the endpoint is ready. */
  url: z.string(),
  createdAt: Timestamp,
  createdBy: Person,
  updatedAt: Timestamp,
  updatedBy: Person,
  private: z.strictObject({ serviceName: z.string() }).nullable(),
  readyReplica: z.int32().min(0),
  targetReplica: z.int32().min(0),
});

/** The memory of one replica, in bytes. */
export const EndpointMemory = named('EndpointMemory', {
  /** The estimate of the catalog; null: unknown. */
  estimatedBytes: z.int().min(0).nullable(),
  /** The most that a replica with these settings has used; null: not measured yet, or on a graphics card. */
  usedBytes: z.int().min(0).nullable(),
});
export type EndpointMemory = z.infer<typeof EndpointMemory>;

/** The description of a setting that no endpoint of this daemon honours; the reply's `status.message` names those set. */
export const NOT_USED_HERE = 'Kept, and not used on this machine';

/** A served model. Not in the specification: `accountId`, `allowedOrigins`, `healthRoute` and `status`. */
export const Endpoint = namedStrictly('Endpoint', {
  name: EndpointName,
  type: EndpointType,
  accountId: z.null(),
  allowedOrigins: AllowedOrigins,
  /** The path that clients poll until the endpoint is ready. */
  healthRoute: z.string(),
  provider: Provider,
  compute: Compute,
  model: EndpointModel,
  cacheHttpResponses: z.boolean(),
  customRouter: CustomRouter.nullable().describe(NOT_USED_HERE),
  experimentalFeatures: ExperimentalFeatures,
  network: Network.nullable(),
  notifications: Notifications,
  privateService: PrivateService.nullable().describe(NOT_USED_HERE),
  route: Route.nullable().describe(NOT_USED_HERE),
  tags: Tags,
  status: EndpointStatus,
});
export type Endpoint = z.infer<typeof Endpoint>;

/** The settings of an endpoint beside its model and its compute: a request may omit each. */
export type EndpointSetting = Exclude<
  keyof Endpoint,
  'name' | 'type' | 'accountId' | 'healthRoute' | 'provider' | 'compute' | 'model' | 'status'
>;

export const EndpointPage = namedStrictly('EndpointPage', {
  items: z.array(Endpoint),
  /** The `cursor` of the next page; absent on the last one. */
  nextCursor: z.string().optional(),
});
export type EndpointPage = z.infer<typeof EndpointPage>;

/** The number of endpoints, and a revision that grows with each change: pages then fetch them again. */
export const EndpointsStatus = named('EndpointsStatus', {
  total: z.int(),
  revision: z.int(),
  states: z.partialRecord(EndpointState, z.int()),
});
export type EndpointsStatus = z.infer<typeof EndpointsStatus>;

/** An endpoint with its owner, the reasons for its compute, its current activity and its use. */
export const OwnEndpoint = named('OwnEndpoint', {
  namespace: Namespace,
  endpoint: Endpoint,
  reasons: z.array(z.string()),
  report: EndpointReport,
  traffic: EndpointTraffic,
  memory: EndpointMemory,
});
export type OwnEndpoint = z.infer<typeof OwnEndpoint>;

/** One endpoint, with the newest events of its life, oldest first. */
export const EndpointDetail = OwnEndpoint.extend({ life: z.array(EndpointLifeEvent) }).meta({ id: 'EndpointDetail' });
export type EndpointDetail = z.infer<typeof EndpointDetail>;

export const EndpointListing = named('EndpointListing', {
  endpoints: z.array(OwnEndpoint),
  matches: z.int(),
  page: z.int(),
  pages: z.int(),
  status: EndpointsStatus,
});
export type EndpointListing = z.infer<typeof EndpointListing>;
