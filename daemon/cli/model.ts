import { daemonAt } from '../client/node/daemon-at.ts';
import { byteText } from '../contract/common/byte-text.ts';
import { modelFileName } from '../contract/model-files/model-file-name.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import { storedModelFiles } from '../doctor/inventory.ts';
import { lockDataFolder } from '../shared/data-folder/data-folder-lock.ts';
import { visibleText } from '../shared/display-text.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { daemonPlace, withToken } from './shared/on-daemon.ts';
import { type JsonOption, printResult, textTable } from './shared/print.ts';

/** `robot-daemon model ls` */
export async function listModels(paths: DataPaths, options: JsonOption): Promise<void> {
  const place = await daemonPlace(paths);
  // The daemon knows what is being downloaded; without one, the disk says what is there.
  const files = await (place ? daemonAt(place.url, place).call('listModelFiles') : storedModelFiles(paths).list());
  printResult(options, files, files.length === 0 ? `No model files in ${paths.models}.\n` : table(files));
}

/** `robot-daemon model rm` */
export async function removeModel(paths: DataPaths, id: string, options: JsonOption): Promise<void> {
  const removed = await remove(id, paths);
  const [file, repository] = [visibleText(modelFileName(removed)), visibleText(removed.repository)];
  printResult(options, removed, `${file} of ${repository} is removed: ${byteText(removed.bytes)}.\n`);
}

async function remove(id: string, paths: DataPaths): Promise<ModelFile> {
  const place = await daemonPlace(paths);
  if (place !== null) {
    return withToken(paths, place.url, 'model-rm', ({ client }) =>
      client.call('removeModelFile', { params: { fileId: id } }),
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
    `${file.repository} ${modelFileName(file)}`,
  ]);
  return textTable(['ID', 'SIZE', 'STATE', 'USED BY', 'LAST USED', 'FILE'], rows);
}
