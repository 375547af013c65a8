import { expect, test } from 'vitest';
import { commandFor } from './command-words.ts';

const params = { namespace: 'lab', name: 'poet' };
const wordsOf = (body: object) => commandFor('updateEndpoint', { params, body })?.words.slice(3) ?? null;

test('an option is given only where the call asks for it', () => {
  const start = (query: object) => commandFor('startApp', { params: { appName: 'dance' }, query })?.words;
  expect(start({})).toEqual(['app', 'start', 'dance']);
  expect(start({ replace: false, wakePaid: undefined })).toEqual(['app', 'start', 'dance']);
  expect(start({ replace: true, wakePaid: true })).toEqual(['app', 'start', 'dance', '--replace', '--wake-paid']);
});

test('an endpoint that never sleeps has no time to sleep in its command: its fewest replicas say it', () => {
  const scaling = { minReplica: 1, maxReplica: 2, scaleToZeroTimeout: null };
  expect(wordsOf({ compute: { scaling } })).toEqual(['--min-replicas', '1', '--max-replicas', '2']);
  expect(wordsOf({ compute: { scaling: { ...scaling, minReplica: 0 } } })).toBeNull();
});

test.each([
  [{ experimentalFeatures: { loadBalancer: 'sticky', mcpLb: null } }, ['--balance', 'sticky']],
  [{ experimentalFeatures: { mcpLb: { stateful: true } } }, ['--balance', 'mcp']],
  [{ experimentalFeatures: { mcpLb: { stateful: false } } }, null],
  [{ compute: { scaling: { measure: { hardwareUsage: 80 } } } }, ['--measure', 'hardware', '--threshold', '80']],
  [{ compute: { scaling: { measure: { pendingRequests: null } } } }, ['--measure', 'requests']],
  [{ compute: { scaling: { measure: null } } }, null],
  [{ allowedOrigins: [] }, ['--pages', '']],
  [{ cacheHttpResponses: false, type: 'private' }, ['--cache', 'off', '--access', 'private']],
  [{ cacheHttpResponses: true, tags: ['a'] }, null],
  [{ compute: { instanceSize: 'x2' } }, null],
])('the change %j of an endpoint has the options %j, or no command', (body, words) => {
  expect(wordsOf(body)).toEqual(words);
});

test('a move with another beginning, a link to a private service and an operation of its own have no command', () => {
  expect(commandFor('playMove', { params: { name: 'yes' }, body: { initialGotoS: 3 } })).toBeNull();
  const privateService = { accountId: 'a', region: 'us-east-1', shared: false } as const;
  const body = { namespace: 'lab', config: { type: 'private', privateService } } as const;
  expect(commandFor('deployCatalogRecipe', { params: { recipePublicId: 'tiny' }, body })).toBeNull();
  expect(commandFor('restartCurrentApp', {})).toBeNull();
});
