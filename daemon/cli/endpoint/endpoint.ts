import { BadArguments } from '../shared/bad-arguments.ts';
import { type CommandArguments, commandArguments } from '../shared/command-arguments.ts';
import { reportFailure } from '../shared/report-failure.ts';
import { withToken } from '../shared/with-token.ts';
import { chat } from './chat.ts';
import { daemonOf, type EndpointCommand } from './endpoint-command.ts';
import { logs } from './logs.ts';
import { list, show } from './look.ts';
import { pause, remove, sleepNow, wake } from './manage.ts';

const help = `Usage: robot-daemon endpoint ls [--json] [--data-dir <folder>]
       robot-daemon endpoint show | wake | sleep | pause <name> [--json] [--data-dir <folder>]
       robot-daemon endpoint logs <name> [--lines <number>] [--follow] [--json] [--data-dir <folder>]
       robot-daemon endpoint rm <name> [--yes] [--json] [--data-dir <folder>]
       robot-daemon endpoint chat <name> [<message>] [--system <text>] [--temperature <number>] [--max-tokens <number>]
                                  [--json] [--data-dir <folder>]

The endpoints of the running daemon: ls lists them, show tells what one does, logs prints the newest output of its
processes, wake starts it and waits until it answers, sleep stops it until the next request, pause stops it until a wake,
rm asks and then deletes it.
chat asks the model and prints its answer as it comes. Without a message it asks what it reads: all of standard input,
or in a terminal one line after the other, as a conversation, until Ctrl-D.
  --system <text>          what the model is told before the conversation
  --temperature <number>   0: the likeliest words, 2: the most surprising (the model server's own)
  --max-tokens <number>    the longest answer (the model server's own)
  --lines <number>         the newest lines only (1000); all that are kept are at most 5000
  --follow                 also the lines that come, until Ctrl-C; with --json, a line of JSON for each
  --yes                    delete without asking
  --json                   the result as JSON

Exit codes: 0 done, 1 failed, 2 bad arguments, 3 no daemon runs, 130 interrupted.
`;

const commands: Readonly<Record<string, EndpointCommand>> = {
  ls: list,
  show,
  logs,
  chat,
  wake,
  sleep: sleepNow,
  pause,
  rm: remove,
};
/** The options of one command alone. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  chat: ['system', 'temperature', 'max-tokens'],
  logs: ['lines', 'follow'],
  rm: ['yes'],
};

const values = ['system', 'temperature', 'max-tokens', 'lines'];

/** `robot-daemon endpoint` */
export async function endpoint(argv: readonly string[]): Promise<void> {
  try {
    const given = commandArguments(argv, help, ['json', 'yes', 'follow'], { maxPositionals: 3, values });
    if (!given) return;
    const { paths } = given;
    const { run, words } = commandIn(given);
    const url = await daemonOf(paths);
    if (url === null) return;
    await withToken(paths, 'endpoint', (lent) => run({ ...lent, url, words, given }));
  } catch (error) {
    reportFailure(error);
  }
}

function commandIn(given: CommandArguments): { run: EndpointCommand; words: readonly string[] } {
  const [what = '', ...words] = given.positionals;
  const run = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!run) {
    const known = 'ls, show, logs, chat, wake, sleep, pause or rm';
    throw new BadArguments(
      what === '' ? `endpoint needs ${known}.` : `endpoint has no command '${what}': it needs ${known}.`,
    );
  }
  if (what !== 'ls' && words.length === 0) throw new BadArguments(`endpoint ${what} needs the name of an endpoint.`);
  const unexpected = words[what === 'ls' ? 0 : what === 'chat' ? 2 : 1];
  if (unexpected !== undefined) throw new BadArguments(`Unexpected argument '${unexpected}'`);
  const options = [...Object.keys(given.values).filter((name) => given.values[name] !== undefined), ...given.switches];
  for (const [owner, names] of Object.entries(optionsOf)) {
    const foreign = owner === what ? undefined : options.find((name) => names.includes(name));
    if (foreign !== undefined) throw new BadArguments(`--${foreign} is for endpoint ${owner}.`);
  }
  return { run, words };
}
