import { Option } from 'commander';
import { exitCodesOnDaemon, positiveNumber, type TerminalCommand, wholeNumber } from '../shared/command.ts';
import type { OnDaemonWithToken } from '../shared/on-daemon.ts';

const DEFAULT_LINES = 1_000;
const NAME = 'the name of an endpoint, with its namespace (lab/poet) if several have that name';

/** `robot-daemon endpoint` */
export function endpointCommands(program: TerminalCommand): void {
  const endpoint = program
    .sub('endpoint', 'The endpoints of the running daemon: models that answer at an address')
    .onDataFolder()
    .examples(
      'robot-daemon endpoint ls',
      'robot-daemon endpoint chat poet "Say hello"',
      'robot-daemon endpoint logs poet --follow',
    )
    .exitCodes(exitCodesOnDaemon);
  const look = () => import('./look.ts');
  const manage = () => import('./manage.ts');
  command(endpoint, 'ls', 'Lists the endpoints', async () => (await look()).list);
  command(
    endpoint,
    'show <endpoint>',
    'Shows the state, the address and the settings of an endpoint',
    async () => (await look()).show,
  );
  command(
    endpoint,
    'logs <endpoint>',
    'Prints the newest output of the processes of an endpoint',
    async () => (await look()).logs,
  )
    .option(
      '--lines <number>',
      'the newest lines only; at most 5000 are kept',
      wholeNumber('--lines', 0),
      DEFAULT_LINES,
    )
    .option('--follow', 'also new lines, until Ctrl-C; with --json, one line of JSON for each');
  command(
    endpoint,
    'chat <endpoint> [message]',
    'Asks the model of an endpoint, and prints its answer as it comes',
    async () => (await import('./chat.ts')).chat,
    [NAME, 'the question; without it, all of standard input, or in a terminal one line after another until Ctrl-D'],
  )
    .option('--system <text>', 'what the model is told before the conversation')
    .option(
      '--temperature <number>',
      "0: the likeliest words, 2: the most surprising (the model server's default)",
      positiveNumber('--temperature'),
    )
    .option('--max-tokens <number>', "the longest answer (the model server's default)", wholeNumber('--max-tokens', 1))
    .examples('robot-daemon endpoint chat poet "Say hello"', 'cat letter.txt | robot-daemon endpoint chat poet');
  endpointDeploy(endpoint);
  command(
    endpoint,
    'wake <endpoint>',
    'Starts an endpoint, and waits until it answers',
    async () => (await manage()).wake,
  );
  command(
    endpoint,
    'sleep <endpoint>',
    'Stops an endpoint until the next request',
    async () => (await manage()).sleepNow,
  );
  command(
    endpoint,
    'pause <endpoint>',
    'Stops an endpoint until "endpoint wake" starts it',
    async () => (await manage()).pause,
  );
  endpointSet(endpoint);
  command(endpoint, 'rm <endpoint>', 'Asks, and then deletes an endpoint', async () => (await manage()).remove).option(
    '--yes',
    'delete without asking',
  );
}

function endpointDeploy(endpoint: TerminalCommand): void {
  command(
    endpoint,
    'deploy <recipe>',
    'Creates an endpoint from a recipe of the catalog',
    async () => (await import('./deploy.ts')).deploy,
    ['the id of a recipe: the page of a model copies the whole command'],
  )
    .option('--name <name>', 'its name, which cannot be changed later (generated)')
    .option('--namespace <name>', 'the namespace that it belongs to (the default one)')
    .addOption(accessOption())
    .option('--min-replicas <number>', 'the fewest replicas; 0: it may sleep (0)', wholeNumber('--min-replicas', 0))
    .option('--max-replicas <number>', 'the most replicas when it is busy (1)', wholeNumber('--max-replicas', 0))
    .option(
      '--sleep-after <minutes>',
      'the time without requests until it sleeps (15)',
      wholeNumber('--sleep-after', 0),
    );
}

const accessOption = () =>
  new Option('--access <type>', 'who may use it').choices(['public', 'authenticated', 'private']);

function endpointSet(endpoint: TerminalCommand): void {
  command(
    endpoint,
    'set <endpoint>',
    'Changes settings of an endpoint without a restart',
    async () => (await import('./change.ts')).change,
  )
    .option('--min-replicas <number>', 'the fewest replicas; 0: it may sleep', wholeNumber('--min-replicas', 0))
    .option('--max-replicas <number>', 'the most replicas when it is busy', wholeNumber('--max-replicas', 0))
    .option('--sleep-after <minutes>', 'the time without requests until it sleeps', wholeNumber('--sleep-after', 0))
    .addOption(new Option('--measure <what>', 'what starts another replica').choices(['requests', 'hardware']))
    .option(
      '--threshold <number>',
      'another replica starts above this: requests for each (1.5), or percent of the hardware (80)',
      positiveNumber('--threshold'),
    )
    .addOption(
      new Option('--balance <rule>', 'how requests are distributed among replicas').choices([
        'random',
        'least_connections',
        'sticky',
        'mcp',
      ]),
    )
    .addOption(
      new Option('--cache <state>', 'whether answers are kept, and sent again to the same request').choices([
        'on',
        'off',
      ]),
    )
    .addOption(accessOption())
    .option(
      '--pages <origins>',
      'origins of web pages that may use it, such as http://localhost:5173, separated by commas; "": none',
    )
    .examples('robot-daemon endpoint set poet --max-replicas 3', 'robot-daemon endpoint set poet --cache on');
}

/** A command on the running daemon. @param load loads what it does, when it is called */
function command(
  endpoint: TerminalCommand,
  usage: string,
  description: string,
  load: () => Promise<(context: OnDaemonWithToken, ...given: never[]) => Promise<void>>,
  nouns: readonly string[] = [NAME],
): TerminalCommand {
  return endpoint.subOnDaemon(usage, description, nouns).does(async () => {
    const [work, { withEndpoints }] = await Promise.all([load(), import('./endpoint-context.ts')]);
    return (paths, ...given) => withEndpoints(paths, (context) => work(context, ...given));
  });
}
