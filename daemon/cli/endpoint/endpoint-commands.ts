import { Option } from 'commander';
import { exitCodesOnDaemon, positiveNumber, type TerminalCommand, wholeNumber } from '../shared/command.ts';
import type { EndpointContext } from './endpoint-context.ts';

const DEFAULT_LINES = 1_000;
const NAME = 'the name of an endpoint; with its namespace, as lab/poet, where several have the same';

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
  endpoint.subOnDaemon('ls', 'Lists the endpoints').action(async (options, { paths }: TerminalCommand) => {
    const { list } = await import('./look.ts');
    await run(paths, (context) => list(context, options));
  });
  one(endpoint, 'show', 'Tells what an endpoint does', async () => (await import('./look.ts')).show);
  one(
    endpoint,
    'logs',
    'Prints the newest output of the processes of an endpoint',
    async () => (await import('./look.ts')).logs,
  )
    .option(
      '--lines <number>',
      'the newest lines only; all that are kept are at most 5000',
      wholeNumber('--lines', 0),
      DEFAULT_LINES,
    )
    .option('--follow', 'also the lines that come, until Ctrl-C; with --json, a line of JSON for each');
  endpoint
    .subOnDaemon('chat <endpoint> [message]', 'Asks the model of an endpoint, and prints its answer as it comes', [
      NAME,
      'the question; without it, all of standard input, or in a terminal a line after the other until Ctrl-D',
    ])
    .option('--system <text>', 'what the model is told before the conversation')
    .option(
      '--temperature <number>',
      "0: the likeliest words, 2: the most surprising (the model server's own)",
      positiveNumber('--temperature'),
    )
    .option('--max-tokens <number>', "the longest answer (the model server's own)", wholeNumber('--max-tokens', 1))
    .examples('robot-daemon endpoint chat poet "Say hello"', 'cat letter.txt | robot-daemon endpoint chat poet')
    .action(async (name: string, message: string | undefined, options, { paths }: TerminalCommand) => {
      const { chat } = await import('./chat.ts');
      await run(paths, (context) => chat(context, name, message, options));
    });
  const manage = () => import('./manage.ts');
  one(endpoint, 'wake', 'Starts an endpoint, and waits until it answers', async () => (await manage()).wake);
  one(endpoint, 'sleep', 'Stops an endpoint until the next request', async () => (await manage()).sleepNow);
  one(endpoint, 'pause', 'Stops an endpoint until a wake', async () => (await manage()).pause);
  endpointSet(endpoint);
  one(endpoint, 'rm', 'Asks, and then deletes an endpoint', async () => (await manage()).remove).option(
    '--yes',
    'delete without asking',
  );
}

function endpointSet(endpoint: TerminalCommand): void {
  one(
    endpoint,
    'set',
    'Changes settings of an endpoint while it goes on',
    async () => (await import('./change.ts')).change,
  )
    .option('--min-replicas <number>', 'the fewest replicas; 0: it may sleep', wholeNumber('--min-replicas', 0))
    .option('--max-replicas <number>', 'the most replicas when it is busy', wholeNumber('--max-replicas', 0))
    .option('--sleep-after <minutes>', 'the time without requests until it sleeps', wholeNumber('--sleep-after', 0))
    .addOption(new Option('--measure <what>', 'what starts another replica').choices(['requests', 'hardware']))
    .option(
      '--threshold <number>',
      'requests of a replica (1.5), or percent of the hardware (80), above which another one starts',
      positiveNumber('--threshold'),
    )
    .addOption(
      new Option('--balance <rule>', 'the replica that a request goes to').choices([
        'random',
        'least_connections',
        'sticky',
        'mcp',
      ]),
    )
    .addOption(new Option('--cache <state>', 'whether answers are kept and given again').choices(['on', 'off']))
    .addOption(new Option('--access <type>', 'who may use it').choices(['public', 'authenticated', 'private']))
    .option(
      '--pages <origins>',
      'origins of web pages that may use it, such as http://localhost:5173, separated by commas; "": none',
    )
    .examples('robot-daemon endpoint set poet --max-replicas 3', 'robot-daemon endpoint set poet --cache on');
}

/** A command about one endpoint. */
function one<Options>(
  endpoint: TerminalCommand,
  name: string,
  description: string,
  load: () => Promise<(context: EndpointContext, name: string, options: Options) => Promise<void>>,
): TerminalCommand {
  return endpoint
    .subOnDaemon(`${name} <endpoint>`, description, [NAME])
    .action(async (given: string, options: Options, { paths }: TerminalCommand) => {
      const work = await load();
      await run(paths, (context) => work(context, given, options));
    });
}

async function run(paths: TerminalCommand['paths'], work: (context: EndpointContext) => Promise<void>): Promise<void> {
  const { withEndpoints } = await import('./endpoint-context.ts');
  await withEndpoints(paths, work);
}
