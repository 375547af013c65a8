import { Option } from 'commander';
import { expect, test, vi } from 'vitest';
import { robotDaemon } from '../robot-daemon.ts';
import { TerminalCommand } from './command.ts';
import { BadArguments } from './errors.ts';

/** A program whose commands do nothing. */
function program(): TerminalCommand {
  const root = TerminalCommand.program('tool').description('Does things');
  root
    .sub('wash', 'Washes')
    .option('--hot', 'at 60 degrees')
    .option('--hop', 'faster')
    .addOption(new Option('--soap <kind>', 'the soap').choices(['hard', 'soft', 'none']))
    .onDataFolder()
    .action(() => {});
  const box = root.sub('box', 'About boxes');
  box
    .sub('open <box>', 'Opens one', ['the name of a box'])
    .option('--gently', 'slowly')
    .action(() => {});
  box
    .sub('close [box]', 'Closes one')
    .option('--lines <number>', 'how many')
    .action(() => {});
  return root;
}
const refusal = (args: readonly string[]) =>
  program()
    .parseAsync(args, { from: 'user' })
    .then(
      () => null,
      (error: unknown) => (error instanceof BadArguments ? error.message : error),
    );

test.each([
  [['wsh'], "There is no command 'wsh'. Did you mean wash?"],
  [['--', '--hot', '1'], "'--hot' is no command: leave out the '--' before it."],
  [['help', 'wsh'], "There is no command 'wsh'."],
  [['wsh', '--help'], "There is no command 'wsh'."],
  [[], 'tool needs wash or box.'],
  [['box'], 'box needs open or close.'],
  [['box', 'opn', 'a'], "box has no command 'opn': it needs open or close. Did you mean open?"],
  [['box', 'open'], 'box open needs the name of a box.'],
  [['box', 'open', 'a', 'b'], "Unexpected argument 'b'. Put quotes around words that belong together."],
  [['box', 'open', 'a', '--genlty'], "Unknown option '--genlty'. Did you mean --gently?"],
  [['box', 'open', 'a', '--lines=3'], '--lines is for box close.'],
  [['box', 'close', '--lines'], "Option '--lines <number>' argument missing."],
  [['wash', '--hot=yes'], "Unknown option '--hot=yes'."],
  [['wash', '--x'], "Unknown option '--x'."],
  [['wash', '--hod'], "Unknown option '--hod'. Did you mean --hop or --hot?"],
  [['wash', '--soap', "o'k"], "--soap must be hard, soft or none, not 'o'k'."],
])('%j is refused with a sentence', async (args, sentence) => {
  expect(await refusal(args)).toBe(sentence);
});

test('the data folder is the one given last, also before the command', async () => {
  const root = program().onDataFolder();
  const folders: string[] = [];
  root
    .sub('where', 'Tells it')
    .onDataFolder()
    .action((_, { paths }: TerminalCommand) => void folders.push(paths.root));
  await root.parseAsync(['--data-dir', '/a', 'where'], { from: 'user' });
  await root.parseAsync(['--data-dir', '/a', 'where', '--data-dir', '/b'], { from: 'user' });
  expect(folders).toEqual(['/a', '/b']);
});

test('a help text has sentences, arguments, examples and exit codes', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const root = program();
  root.sub('fold <shirt>', 'Folds one', ['a shirt']).examples('tool fold blue').exitCodes('0 folded, 1 torn');
  await root.parseAsync(['fold', '--help'], { from: 'user' }).catch(() => {});
  const text = written.mock.calls.join('');
  written.mockRestore();
  expect(text).toBe(`Usage: tool fold [options] <shirt>

Folds one.

Arguments:
  shirt       a shirt

Options:
  -h, --help  show this

Examples:
  tool fold blue

Exit codes: 0 folded, 1 torn.
`);
});

test('options that start a daemon are refused with a command', async () => {
  const given = robotDaemon('/project').parseAsync(['--sim', 'status'], { from: 'user' });
  await expect(given).rejects.toThrow(new BadArguments('--sim is for the start of a daemon, not for status.'));
});
