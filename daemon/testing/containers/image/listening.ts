import { basename } from 'node:path';

/** The behaviour of an engine without any argument: its own defaults, as its documentation says. */
interface EngineDefaults {
  readonly host: string;
  readonly port: number;
  /** The first of its names that is given, as an argument or a variable, counts. */
  readonly portNames: readonly string[];
  readonly hostNames: readonly string[];
  readonly healthRoute: string;
}

const anywhere = '0.0.0.0';
const flags = { portNames: ['--port'], hostNames: ['--host'] };
const launcher = { portNames: ['--port', '-p', 'PORT'], hostNames: ['--hostname', 'HOSTNAME'] };

const engines: Readonly<Record<string, EngineDefaults>> = {
  tgi: { host: anywhere, port: 80, healthRoute: '/health', ...launcher },
  tgiNeuron: { host: anywhere, port: 80, healthRoute: '/health', ...launcher },
  tei: { host: anywhere, port: 80, healthRoute: '/health', ...launcher },
  llamacpp: {
    ...{ host: '127.0.0.1', port: 8080, healthRoute: '/health' },
    ...{ portNames: ['--port', 'LLAMA_ARG_PORT'], hostNames: ['--host', 'LLAMA_ARG_HOST'] },
  },
  vLLM: { host: anywhere, port: 8000, healthRoute: '/health', ...flags },
  vLLMOmni: { host: anywhere, port: 8000, healthRoute: '/health', ...flags },
  vLLMNeuron: { host: anywhere, port: 8080, healthRoute: '/health', ...flags },
  sGLang: { host: '127.0.0.1', port: 30_000, healthRoute: '/health', ...flags },
};
/** An image of somebody's own listens where its variables say. */
const other: EngineDefaults = {
  ...{ host: anywhere, port: 80, healthRoute: '/health', portNames: ['PORT', '--port'], hostNames: ['--host'] },
};

/** Where an engine listens, with this command line and these variables. */
export function listening(
  engine: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): { readonly host: string; readonly port: number; readonly healthRoute: string } {
  const defaults = engines[engine] ?? other;
  const named = (names: readonly string[]) =>
    names.map((name) => (name.startsWith('-') ? argument(argv, name) : env[name])).find((value) => value !== undefined);
  return {
    host: named(defaults.hostNames) ?? defaults.host,
    port: Number(named(defaults.portNames) ?? defaults.port),
    healthRoute: env['TEST_HEALTH_ROUTE'] ?? defaults.healthRoute,
  };
}

/** The value of the last argument of this name. */
function argument(argv: readonly string[], name: string): string | undefined {
  const index = argv.lastIndexOf(name);
  return index === -1 ? argv.findLast((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) : argv[index + 1];
}

/** The name that an engine gives its model. */
export function modelName(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): string {
  const names = ['--served-model-name', '--alias', '--model-id', '--model-path', '--model', '-m'];
  const given = names.map((name) => argument(argv, name)).find((value) => value !== undefined);
  return basename(given ?? env['MODEL_ID'] ?? argument(argv, 'serve') ?? 'model');
}
