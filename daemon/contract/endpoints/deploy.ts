import * as z from 'zod';
import { Accelerator } from '../catalog/catalog.ts';
import { namedStrictly } from '../common/common.ts';
import { WantedReplicas } from '../compute/endpoint-compute.ts';
import { Endpoint, EndpointName, EndpointType, Namespace, WantedPrivateService } from './endpoint.ts';

/** The options of a deploy from the catalog. */
export const DeployConfig = namedStrictly('DeployConfig', {
  /** Default: generated from the model's name. */
  name: EndpointName.optional(),
  type: EndpointType.optional().describe('Default: authenticated'),
  scaling: z
    .strictObject({
      maxReplica: WantedReplicas.optional().describe('Default: 1'),
      minReplica: WantedReplicas.optional().describe('Default: 0'),
      scaleToZeroTimeout: z.int32().min(0).optional().describe('In minutes, default: 15; needs minReplica 0'),
    })
    .optional(),
  privateService: WantedPrivateService.optional().describe(
    'For an endpoint of type private. Kept, and not used on this machine',
  ),
});
export type DeployConfig = z.infer<typeof DeployConfig>;

export const ModelDeploy = namedStrictly('ModelDeploy', {
  namespace: Namespace,
  accelerator: Accelerator.optional(),
  ggufFile: z.string().min(1).max(1_000).optional(),
  config: DeployConfig.optional(),
});
export type ModelDeploy = z.infer<typeof ModelDeploy>;

export const RecipeDeploy = namedStrictly('RecipeDeploy', { namespace: Namespace, config: DeployConfig.optional() });
export type RecipeDeploy = z.infer<typeof RecipeDeploy>;

export const Deployed = namedStrictly('Deployed', { endpoint: Endpoint });

/** An endpoint that another service created, as that service describes it, with unknown keys. */
export const RemoteEndpoint = z.looseObject({ name: z.string() });
export type RemoteEndpoint = z.infer<typeof RemoteEndpoint>;

export const RemoteDeployed = z.looseObject({ endpoint: RemoteEndpoint });
export type RemoteDeployed = z.infer<typeof RemoteDeployed>;
