import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import type { EndpointChange } from '../contract/endpoints/endpoint-request.ts';
import type { CallInput, CallName } from './calls.ts';

/** A command of `robot-daemon`. */
export interface CommandWords {
  /** After the name of the program. */
  readonly words: readonly string[];
  /** Those of them that are names and values, which somebody else may have written. */
  readonly given: readonly string[];
}

/** Options by their flags. true: it takes no value; false or undefined: it is not given. */
type Options = Readonly<Record<string, string | number | boolean | undefined>>;

/** @param path the command itself, `app start` */
function command(path: string, names: readonly string[] = [], options: Options = {}): CommandWords {
  const chosen = Object.entries(options).filter(([, value]) => value !== undefined && value !== false);
  const flags = chosen.flatMap(([flag, value]) => (value === true ? [flag] : [flag, String(value)]));
  const values = chosen.flatMap(([, value]) => (value === true ? [] : [String(value)]));
  return { words: [...path.split(' '), ...names, ...flags], given: [...names, ...values] };
}

const onEndpoint =
  (path: string) =>
  ({ params }: { readonly params: EndpointRef }): CommandWords =>
    command(path, [nameOf(params)]);
const nameOf = ({ namespace, name }: EndpointRef): string => `${namespace}/${name}`;

/**
 * The commands that make the same call of the daemon with the same input, which a test runs. null: not with this input.
 */
export const commandWords = {
  startApp: ({ params, query }: CallInput<'startApp'>) =>
    command('app start', [params.appName], { '--replace': query?.replace, '--wake-paid': query?.wakePaid }),
  stopCurrentApp: ({ query }: CallInput<'stopCurrentApp'>) => command('app stop', [], { '--force': query?.force }),
  installApp: ({ body }: CallInput<'installApp'>) =>
    command('app install', [body.url], { '--revision': body.revision, '--download-python': body.downloadPython }),
  updateApp: ({ params, query }: CallInput<'updateApp'>) =>
    command('app update', [params.appName], { '--download-python': query?.downloadPython }),
  rollBackApp: ({ params }: CallInput<'rollBackApp'>) => command('app rollback', [params.appName]),
  resetApp: ({ params }: CallInput<'resetApp'>) => command('app reset', [params.appName]),
  undoAppReset: ({ params, query }: CallInput<'undoAppReset'>) =>
    query?.replace ? null : command('app reset', [params.appName], { '--undo': true }),
  removeApp: ({ params }: CallInput<'removeApp'>) => command('app rm', [params.appName]),
  wakeUpRobot: () => command('robot wake'),
  putRobotToSleep: () => command('robot sleep'),
  stopRobot: () => command('robot stop'),
  playMove: ({ params, body }: CallInput<'playMove'>) =>
    body.initialGotoS === undefined ? command('robot play', [params.name]) : null,
  deployCatalogRecipe: ({ params, body }: CallInput<'deployCatalogRecipe'>) => deployed(params.recipePublicId, body),
  updateEndpoint: ({ params, body }: CallInput<'updateEndpoint'>) => changed(params, body as EndpointChange),
  resumeEndpoint: onEndpoint('endpoint wake'),
  scaleEndpointToZero: onEndpoint('endpoint sleep'),
  pauseEndpoint: onEndpoint('endpoint pause'),
  deleteEndpoint: onEndpoint('endpoint rm'),
  switchGraphicsCards: ({ body }: CallInput<'switchGraphicsCards'>) =>
    command(body.isOn ? 'graphics-card on' : 'graphics-card off'),
  tryGraphicsCardsAgain: () => command('graphics-card try-again'),
  removeModelFile: ({ params }: CallInput<'removeModelFile'>) => command('model rm', [params.fileId]),
} as const satisfies { readonly [N in CallName]?: (input: CallInput<N>) => CommandWords | null };

/** The command for a call with its input; null: there is none. */
export function commandFor<N extends CallName>(name: N, input: CallInput<N>): CommandWords | null {
  const words: { readonly [M in CallName]?: (input: never) => CommandWords | null } = commandWords;
  return words[name]?.(input as never) ?? null;
}

/**
 * Commands that make no call for what a button does: they work without a daemon or while it hangs, or prove who asks by
 * writing in its data folder.
 */
export const ownCommands = {
  restart: command('restart'),
  signIn: command('sign-in'),
  doctor: command('doctor'),
  report: command('report'),
  /** @param name empty: the next free one */
  createToken: (name: string, scopes: readonly string[]) => ({
    words: ['token', 'create', ...(name ? [name] : []), ...scopes.flatMap((scope) => ['--scope', scope])],
    given: [name, ...scopes],
  }),
  revokeToken: (name: string) => command('token revoke', [name]),
} as const;

function deployed(recipe: string, { namespace, config = {} }: CallInput<'deployCatalogRecipe'>['body']) {
  const { name, type, scaling = {}, privateService } = config;
  if (privateService !== undefined) return null;
  return command('endpoint deploy', [recipe], {
    '--namespace': namespace,
    '--name': name,
    '--access': type,
    '--min-replicas': scaling.minReplica,
    '--max-replicas': scaling.maxReplica,
    '--sleep-after': scaling.scaleToZeroTimeout,
  });
}

/** Of the settings of an endpoint, those that the form of its scaling and access has; null: the change has others. */
function changed(endpoint: EndpointRef, change: EndpointChange): CommandWords | null {
  const { type, compute = {}, experimentalFeatures, cacheHttpResponses, allowedOrigins, ...others } = change;
  const { scaling = {}, ...otherCompute } = compute;
  const { minReplica, maxReplica, scaleToZeroTimeout, measure, ...otherScaling } = scaling;
  const rule = experimentalFeatures && ruleOf(experimentalFeatures);
  const hasOthers = [others, otherCompute, otherScaling].some((each) => Object.keys(each).length > 0);
  // Without a time it never sleeps, which the fewest replicas say.
  const cannotSay = scaleToZeroTimeout === null && !((minReplica ?? 0) > 0);
  if (hasOthers || cannotSay || rule === null || measure === null) return null;
  const isHardware = measure?.hardwareUsage !== undefined;
  return command('endpoint set', [nameOf(endpoint)], {
    '--min-replicas': minReplica,
    '--max-replicas': maxReplica,
    '--sleep-after': scaleToZeroTimeout ?? undefined,
    '--measure': measure && (isHardware ? 'hardware' : 'requests'),
    '--threshold': (isHardware ? measure?.hardwareUsage : measure?.pendingRequests) ?? undefined,
    '--balance': rule,
    '--cache': cacheHttpResponses === undefined ? undefined : cacheHttpResponses ? 'on' : 'off',
    '--access': type,
    '--pages': allowedOrigins?.join(','),
  });
}

/** The rule for requests that a change sets; null: the command has no word for it. */
function ruleOf(features: NonNullable<EndpointChange['experimentalFeatures']>): string | null {
  const { loadBalancer = null, mcpLb, ...others } = features;
  if (Object.keys(others).length > 0) return null;
  if (mcpLb) return mcpLb.stateful ? 'mcp' : null;
  return loadBalancer;
}
