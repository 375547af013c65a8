import { daemonAt } from '../client/node/daemon-at.ts';
import { byteText } from '../contract/common/byte-text.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { storedModelFiles } from '../doctor/stored-model-files.ts';
import { lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { visibleText } from '../shared/display-text.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { BadArguments } from './shared/bad-arguments.ts';
import { commandArguments } from './shared/command-arguments.ts';
import { daemonUrl } from './shared/daemon-url.ts';
import { print, printJson } from './shared/print.ts';
import { reportFailure } from './shared/report-failure.ts';
import { textTable } from './shared/text-table.ts';
import { withToken } from './shared/with-token.ts';

const help = `Usage: robot-daemon model ls [--json] [--data-dir <folder>]
       robot-daemon model rm <id> [--json] [--data-dir <folder>]

Lists the files of models on this machine with the endpoints that use them, and removes one that no endpoint uses. A file
is also removed when its download is not complete. Works with and without a running daemon.
  --json   the result as JSON

Exit codes: 0 done, 1 failed, 2 bad arguments.
`;

/** `robot-daemon model` */
export async function model(argv: readonly string[]): Promise<void> {
  try {
    const given = commandArguments(argv, help, ['json'], { maxPositionals: 2 });
    if (!given) return;
    const { paths, positionals, switches } = given;
    const [what, id = null] = positionals;
    const show = (value: unknown, text: string) => (switches.has('json') ? printJson(value) : print(text));
    if (what === 'ls' && id === null) {
      const files = await list(paths);
      show(files, files.length === 0 ? `No model files in ${paths.models}.\n` : table(files));
    } else if (what === 'rm' && id !== null) {
      const removed = await remove(id, paths);
      show(
        removed,
        `${visibleText(removed.path)} of ${visibleText(removed.repository)} is removed: ${byteText(removed.bytes)}.\n`,
      );
    } else {
      throw new BadArguments(
        what === 'rm' ? 'model rm needs the id of a file: see model ls.' : 'model needs ls or rm.',
      );
    }
  } catch (error) {
    reportFailure(error);
  }
}

/** The daemon knows what is being downloaded; without one, the disk says what is there. */
async function list(paths: DataPaths): Promise<readonly ModelFile[]> {
  const url = await daemonUrl(paths);
  return url === null ? storedModelFiles(paths).list() : daemonAt(url).call('listModelFiles');
}

async function remove(id: string, paths: DataPaths): Promise<ModelFile> {
  const url = await daemonUrl(paths);
  if (url !== null) {
    return withToken(paths, 'model-rm', ({ token }) =>
      daemonAt(url, { token }).call('removeModelFile', { params: { fileId: id } }),
    );
  }
  const lock = await lockDataFolder(paths);
  return storedModelFiles(paths)
    .remove(id)
    .finally(() => lock.release());
}

function table(files: readonly ModelFile[]): string {
  const rows = files.map((file) => [
    file.id,
    file.state === 'partial' && file.totalBytes !== null
      ? `${byteText(file.bytes)} of ${byteText(file.totalBytes)}`
      : byteText(file.bytes),
    file.state,
    file.users.join(', ') || 'unused',
    file.lastUsedAt?.slice(0, 10) ?? 'never',
    `${file.repository} ${file.path}`,
  ]);
  return textTable(['ID', 'SIZE', 'STATE', 'USED BY', 'LAST USED', 'FILE'], rows);
}
