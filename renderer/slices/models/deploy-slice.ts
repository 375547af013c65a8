import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { AnswersSlice } from '../base/answers.ts';
import type { SendCommand } from '../base/commands.ts';
import type { GetState } from '../base/slice.ts';
import { namespaceOf } from '../daemon/session-slice.ts';

export type DeploySlice = ReturnType<typeof createDeploySlice>;

export const createDeploySlice = (get: GetState<AnswersSlice>, send: SendCommand) => ({
  /**
   * Creates an endpoint from a recipe, then switches its notifications on: the config of a deploy has none, they are a change
   * of the endpoint. Never retries.
   * @returns whether it was created, with the notifications
   */
  deploy: async (
    recipePublicId: string,
    config: DeployConfig,
    notifications?: NonNullable<EndpointChange['notifications']>,
  ) => {
    const namespace = namespaceOf(get());
    const deployed = await send('deploy', async (call) => {
      const input = { params: { recipePublicId }, body: { namespace, config } };
      const { endpoint } = await call('deployCatalogRecipe', input);
      const { name } = endpoint;
      if (!notifications) return endpoint;
      try {
        await call('updateEndpoint', { params: { namespace, name }, body: { notifications } });
      } catch (error) {
        const { status, message, issues } = asDaemonError(error);
        const what = `The endpoint "${name}" is deployed, but its notifications are not switched on: ${message}`;
        throw new DaemonError(status, what, issues, error);
      }
      return endpoint;
    });
    return deployed !== null;
  },
});
