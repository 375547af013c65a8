import type { DeployConfig } from '../../contract/endpoints/deploy.ts';
import type { EndpointType } from '../../contract/endpoints/endpoint.ts';
import type { OnDaemon } from '../shared/on-daemon.ts';
import { type JsonOption, printResult } from '../shared/print.ts';

interface DeployOptions extends JsonOption {
  readonly namespace?: string;
  readonly name?: string;
  readonly access?: EndpointType;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  /** Minutes. */
  readonly sleepAfter?: number;
}

/** `robot-daemon endpoint deploy`: creates an endpoint of a recipe of the catalog. */
export async function deploy({ client }: OnDaemon, recipePublicId: string, options: DeployOptions): Promise<void> {
  const namespace = options.namespace ?? (await client.call('whoAmI')).name;
  const body = { namespace, config: configOf(options) };
  const { endpoint } = await client.call('deployCatalogRecipe', { params: { recipePublicId }, body });
  const id = `${namespace}/${endpoint.name}`;
  printResult(options, endpoint, `${id} is created. To wait until it answers: robot-daemon endpoint wake ${id}\n`);
}

function configOf({ name, access, minReplicas, maxReplicas, sleepAfter }: DeployOptions): DeployConfig {
  const scaling = {
    ...(minReplicas !== undefined && { minReplica: minReplicas }),
    ...(maxReplicas !== undefined && { maxReplica: maxReplicas }),
    ...(sleepAfter !== undefined && { scaleToZeroTimeout: sleepAfter }),
  };
  return {
    ...(name !== undefined && { name }),
    ...(access && { type: access }),
    ...(Object.keys(scaling).length > 0 && { scaling }),
  };
}
