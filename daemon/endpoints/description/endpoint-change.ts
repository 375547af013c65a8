import { isDeepStrictEqual } from 'node:util';
import { LOCAL_VENDOR } from '../../catalog/compute/compute-offer.ts';
import type { Compute } from '../../contract/compute/endpoint-compute.ts';
import type { CustomRouter } from '../../contract/endpoints/endpoint.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointChange } from '../../contract/endpoints/endpoint-request.ts';
import { checkAnyOrigin, originsOf } from './allowed-origins.ts';
import { checkPrivateService, defaultSettings, type EndpointParts } from './endpoint-parts.ts';
import { checkModel, completeImage, healthRouteOf } from './model-rules.ts';
import { modelSource } from './model-source.ts';
import { type AddIssue, checked, under } from './problems.ts';
import { changedScaling } from './scaling-rules.ts';

/**
 * Applies a change to an endpoint: an omitted field stays, null resets it to its default. A secret that is null stays
 * null, which keeps the stored value.
 * @throws InvalidBody with every issue
 */
export function changed(before: EndpointParts, change: EndpointChange): EndpointParts {
  return checked((addIssue) => changedParts(before, change, addIssue));
}

/** Settings that are replaced as they are sent need no line here. */
export function changedParts(before: EndpointParts, change: EndpointChange, addIssue: AddIssue): EndpointParts {
  const { accountId: _, compute: wantedCompute, model: wantedModel, ...wanted } = change;
  const { allowedOrigins, customRouter, experimentalFeatures, network, route, ...sent } = wanted;
  const after = replaced(before, sent);
  const { type, provider, privateService, tags } = after;
  const model = changedModel(before.model, wantedModel ?? {});
  // A model that was stored by an earlier version, with fewer rules, does not block other changes.
  if (wantedModel) checkModel(model, under(addIssue, 'model'));
  const isMoved = !isDeepStrictEqual(provider, before.provider);
  const compute = changedCompute(before.compute, wantedCompute ?? {}, isMoved, under(addIssue, 'compute'));
  checkPrivateService({ type, privateService }, addIssue);
  const origins = allowedOrigins ? originsOf(allowedOrigins, under(addIssue, 'allowedOrigins')) : before.allowedOrigins;
  checkAnyOrigin({ type, allowedOrigins: origins }, addIssue);
  const features = changedFeatures(before, change);
  const changedNow = {
    ...{ ...after, compute, model, healthRoute: healthRouteOf(model.image), allowedOrigins: origins },
    ...{ cacheHttpResponses: features.cacheHttpResponses, experimentalFeatures: features },
    customRouter: changedRouter(before.customRouter, customRouter),
    network: changedNetwork(before.network, network, addIssue),
    route: changedRoute(before.route, route, addIssue),
    tags: [...new Set(tags)],
  };
  const isSourceNew = wantedModel || experimentalFeatures || isMoved;
  if (isSourceNew && provider.vendor === LOCAL_VENDOR) checkModelSource(changedNow, under(addIssue, 'model'));
  return changedNow;
}

/** An object with the members that are sent; undefined: not sent. */
function replaced<T extends object>(before: T, sent: { readonly [Name in keyof T]?: T[Name] | undefined }): T {
  return { ...before, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) };
}

/** A model that this machine can never load is refused at once. */
function checkModelSource(parts: Pick<EndpointParts, 'model' | 'experimentalFeatures'>, addIssue: AddIssue): void {
  const source = modelSource(parts);
  if (source.source === 'none' && source.member !== null)
    addIssue(['image', 'llamacpp', source.member], source.problem);
}

function chosen<T>(wanted: T | undefined, before: T): T {
  return wanted === undefined ? before : wanted;
}

/** Clears the offer's id, which is informational, when the compute may no longer be that offer. */
function changedCompute(
  before: Compute,
  wanted: NonNullable<EndpointChange['compute']>,
  isMoved: boolean,
  addIssue: AddIssue,
): Compute {
  const { accelerator = before.accelerator, instanceType = before.instanceType } = wanted;
  const { instanceSize = before.instanceSize, scaling = {} } = wanted;
  const instance = { accelerator, instanceType, instanceSize };
  const isSame = !isMoved && isDeepStrictEqual({ ...before, ...instance }, before);
  return {
    ...instance,
    id: isSame ? before.id : null,
    scaling: changedScaling(before.scaling, scaling, under(addIssue, 'scaling')),
  };
}

function changedModel(
  before: EndpointModel,
  { task, image, ...sent }: NonNullable<EndpointChange['model']>,
): EndpointModel {
  return {
    ...replaced(before, sent),
    task: chosen(task, before.task) ?? 'custom',
    image: image ? completeImage(image) : before.image,
  };
}

/** The endpoint's own `cacheHttpResponses` wins over the one in `experimentalFeatures`; the result sets both alike. */
function changedFeatures(before: EndpointParts, change: EndpointChange): EndpointParts['experimentalFeatures'] {
  const features = before.experimentalFeatures;
  const defaults = defaultSettings.experimentalFeatures;
  const wanted = change.experimentalFeatures ?? {};
  return {
    cacheHttpResponses: change.cacheHttpResponses ?? wanted.cacheHttpResponses ?? before.cacheHttpResponses,
    loadBalancer: chosen(wanted.loadBalancer, features.loadBalancer) ?? defaults.loadBalancer,
    mcpLb: chosen(wanted.mcpLb, features.mcpLb),
    skipRepoDownload: chosen(wanted.skipRepoDownload, features.skipRepoDownload) ?? defaults.skipRepoDownload,
  };
}

const ROUTER = { env: {}, grpcPort: null, port: 3000, protocol: 'http' } as const;
const GRPC_PORT = 9002;

/** Null changes nothing; an object without a tag removes the router. Only `extProc` has a `grpcPort`. */
function changedRouter(before: CustomRouter | null, wanted: EndpointChange['customRouter']): CustomRouter | null {
  if (!wanted) return before;
  if (!wanted.tag) return null;
  const { env, grpcPort, port, protocol: protocolBefore } = before ?? ROUTER;
  const protocol = chosen(wanted.protocol, protocolBefore);
  return {
    env: chosen(wanted.env, env),
    grpcPort: protocol === 'extProc' ? (chosen(wanted.grpcPort, grpcPort) ?? GRPC_PORT) : null,
    port: chosen(wanted.port, port) ?? ROUTER.port,
    protocol,
    tag: wanted.tag,
  };
}

function changedNetwork(
  before: EndpointParts['network'],
  wanted: EndpointChange['network'],
  addIssue: AddIssue,
): EndpointParts['network'] {
  const network = wanted
    ? {
        cidrBlock: chosen(wanted.cidrBlock, before?.cidrBlock ?? null),
        cidrList: chosen(wanted.cidrList, before?.cidrList ?? null),
      }
    : chosen(wanted, before);
  if (network?.cidrBlock && !network.cidrList?.length) {
    addIssue(
      ['network', 'cidrList'],
      'cidrBlock blocks every address while cidrList is empty. List the allowed addresses.',
    );
  }
  return network;
}

function changedRoute(
  before: EndpointParts['route'],
  wanted: EndpointChange['route'],
  addIssue: AddIssue,
): EndpointParts['route'] {
  if (!wanted) return chosen(wanted, before);
  const { domain = before?.domain, path = before?.path } = wanted;
  if (domain !== undefined && path !== undefined) return { domain, path };
  addIssue(['route', domain === undefined ? 'domain' : 'path'], 'A route needs a domain and a path.');
  return before;
}
