import { expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { captureOutput } from '../../testing/terminal/in-process.ts';
import { scriptedClient } from '../../testing/terminal/scripted-daemon.ts';
import { deploy } from './deploy.ts';

type Options = Parameters<typeof deploy>[2];

/** Deploys the recipe tiny-q4. */
async function deployed(options: Options) {
  const { client, calls } = scriptedClient({
    whoAmI: () => ({ type: 'user', id: 'terminal', name: 'home', fullname: 'terminal', orgs: [] }),
    deployCatalogRecipe: () => ({ endpoint: { name: 'poet' } as Endpoint }),
  });
  const printed = captureOutput();
  await deploy({ client, signal: new AbortController().signal }, 'tiny-q4', options);
  return { out: printed.out, call: calls.at(-1) };
}

test('without options a recipe is deployed with the defaults, to the default namespace', async () => {
  expect(await deployed({})).toEqual({
    out: 'home/poet is created. To wait until it answers: robot-daemon endpoint wake home/poet\n',
    call: ['deployCatalogRecipe', { params: { recipePublicId: 'tiny-q4' }, body: { namespace: 'home', config: {} } }],
  });
});

test('the options are those of the form in the dashboard', async () => {
  const replicas = { minReplicas: 0, maxReplicas: 3, sleepAfter: 5 };
  const { call } = await deployed({ namespace: 'lab', name: 'poet', access: 'public', ...replicas });
  const scaling = { minReplica: 0, maxReplica: 3, scaleToZeroTimeout: 5 };
  const body = { namespace: 'lab', config: { name: 'poet', type: 'public', scaling } };
  expect(call).toEqual(['deployCatalogRecipe', { params: { recipePublicId: 'tiny-q4' }, body }]);
});
