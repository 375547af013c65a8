import type { AppNeed } from '../../contract/apps/needs.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { RunEndpoint } from './run-endpoints.ts';

/** Environment variables of a run, and those of their values that must never be shown. */
export interface RunEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** A need with everything that the app gets about its endpoint. */
export interface ServedNeed extends Pick<RunEndpoint, 'endpoint' | 'model'> {
  readonly need: AppNeed;
  /** The base of its OpenAI-compatible interface; ends in `/v1`. */
  readonly url: string;
  readonly key: string;
}

/** The variables of OpenAI's clients. */
const OPENAI = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL'] as const;
const proxies = /^(?:https?|all)_proxy$/i;

/**
 * The environment variables for the needs of an app: `ROBOT_ENDPOINT_<NEED>_URL`, `_MODEL`, `_KEY` and `_NAME` for each
 * served one. An app that declares exactly one need of the task text-generation gets the variables of OpenAI's clients
 * too, unless one of them is set already.
 * @param given.declared all needs of the app
 * @param given.others the other variables of the app
 */
export function needsEnvironment(given: {
  readonly declared: readonly AppNeed[];
  readonly served: readonly ServedNeed[];
  readonly others: Readonly<Record<string, string>>;
}): RunEnvironment {
  const { declared, served, others } = given;
  if (served.length === 0) return { environment: {}, secrets: [] };
  const own = served.flatMap(({ need, endpoint, model, url, key }) => {
    const prefix = `ROBOT_ENDPOINT_${need.name.toUpperCase()}`;
    return [
      [`${prefix}_URL`, url],
      [`${prefix}_MODEL`, model],
      [`${prefix}_KEY`, key],
      [`${prefix}_NAME`, endpointId(endpoint)],
    ];
  });
  return {
    environment: { ...Object.fromEntries(own), ...forOpenAi(declared, served, others), ...directly(served, others) },
    secrets: served.map(({ key }) => key),
  };
}

function forOpenAi(
  declared: readonly AppNeed[],
  served: readonly ServedNeed[],
  others: Readonly<Record<string, string>>,
): Record<string, string> {
  const chats = declared.filter(({ task }) => task === 'text-generation');
  const chat = chats.length === 1 ? served.find(({ need }) => need.name === chats[0]?.name) : undefined;
  if (!chat || OPENAI.some((name) => Object.hasOwn(others, name))) return {};
  return { OPENAI_BASE_URL: chat.url, OPENAI_API_KEY: chat.key, OPENAI_MODEL: chat.model };
}

/** Keeps the requests, and with them the keys, from the proxy of an environment that has one. */
function directly(served: readonly ServedNeed[], others: Readonly<Record<string, string>>): Record<string, string> {
  if (!Object.keys(others).some((name) => proxies.test(name))) return {};
  const hosts = new Set(served.map(({ url }) => new URL(url).hostname));
  const excepted = [others['no_proxy'], others['NO_PROXY'], ...hosts].filter((each) => each);
  return { no_proxy: excepted.join(','), NO_PROXY: excepted.join(',') };
}
