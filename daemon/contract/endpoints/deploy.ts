import * as z from 'zod';
import { Accelerator } from '../catalog/catalog.ts';
import { Replicas } from '../compute/endpoint-compute.ts';
import { Endpoint, EndpointName, EndpointType, Namespace, WantedPrivateService } from './endpoint.ts';

/** What a caller may choose of an endpoint that is made from the catalog. */
export const DeployConfig = z
  .strictObject({
    /** Absent: made from the model's name. */
    name: EndpointName.optional(),
    type: EndpointType.optional().describe('authenticated unless it is said'),
    scaling: z
      .strictObject({
        maxReplica: Replicas.optional().describe('1 unless it is said'),
        minReplica: Replicas.optional().describe('0 unless it is said'),
        scaleToZeroTimeout: Replicas.optional().describe('Minutes; 15 unless it is said; minReplica must be 0'),
      })
      .optional(),
    privateService: WantedPrivateService.optional().describe('For an endpoint of type private'),
  })
  .meta({ id: 'DeployConfig' });
export type DeployConfig = z.infer<typeof DeployConfig>;

export const ModelDeploy = z
  .strictObject({
    namespace: Namespace,
    accelerator: Accelerator.optional(),
    ggufFile: z.string().min(1).max(1_000).optional(),
    config: DeployConfig.optional(),
  })
  .meta({ id: 'ModelDeploy' });
export type ModelDeploy = z.infer<typeof ModelDeploy>;

export const RecipeDeploy = z
  .strictObject({ namespace: Namespace, config: DeployConfig.optional() })
  .meta({ id: 'RecipeDeploy' });
export type RecipeDeploy = z.infer<typeof RecipeDeploy>;

export const Deployed = z.strictObject({ endpoint: Endpoint }).meta({ id: 'Deployed' });

/** An endpoint that another service made: in that service's words, members that we do not know included. */
export const RemoteEndpoint = z.looseObject({ name: z.string() });
export type RemoteEndpoint = z.infer<typeof RemoteEndpoint>;

export const RemoteDeployed = z.looseObject({ endpoint: RemoteEndpoint });
export type RemoteDeployed = z.infer<typeof RemoteDeployed>;
