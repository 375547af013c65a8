import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { InstallableRuntime } from '../../contract/endpoints/runtimes.ts';
import type { Job } from '../../contract/jobs.ts';
import { JobFailed, storageFailed } from '../../jobs/errors.ts';
import type { JobProgress, JobQueue } from '../../jobs/job-queue.ts';
import type { Clock } from '../../shared/clock.ts';
import { diskSpace } from '../../shared/files/disk-space.ts';
import { makeFolder } from '../../shared/files/make-folder.ts';
import { DiskFull, storageErrorBehind } from '../../shared/files/storage-errors.ts';
import { AddressRefused } from '../../shared/net/safe-fetch.ts';
import { TransferMeter } from '../../shared/net/transfer-meter.ts';
import { askLlamaServer, readInstalled, writeInstalled } from '../llamacpp/llama-server-program.ts';
import { type LlamaArchive, llamaArchive, type ReleaseChoice } from './llama-release.ts';
import { DownloadFailed, downloadFile } from './resumed-download.ts';
import { ArchiveUnusable, findProgram, unpackArchive } from './unpack-archive.ts';

interface LlamaServerInstallerDeps {
  readonly jobs: Pick<JobQueue, 'add' | 'saved'>;
  readonly runtimesDir: string;
  readonly release: ReleaseChoice;
  /** Whether one that is built for graphics cards is preferred; loads the graphics driver. */
  readonly wantsCardBuild: () => Promise<boolean>;
  /** Whether the llama-server in use lists no graphics card, and another one would be used once it is installed. */
  readonly mayReplace: () => Promise<boolean>;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Called once another llama-server is installed. */
  readonly onInstalled: () => void;
}

const steps = [
  { name: 'download', title: 'Download' },
  { name: 'unpack', title: 'Unpack' },
  { name: 'try', title: 'Try it' },
] as const;

const MAX_ARCHIVE_BYTES = 1024 ** 3;
/** The unpacked program with its libraries, beside the archive. */
const SPACE_FACTOR = 5;
const ASSUMED_BYTES = 200e6;

/** Installs llama-server from its own project's release when the user asks: one job, resumed where it was interrupted. */
export class LlamaServerInstaller {
  readonly #deps: LlamaServerInstallerDeps;

  constructor(deps: LlamaServerInstallerDeps) {
    this.#deps = deps;
  }

  /** Whether one can be installed. Asks for no graphics card. */
  async hasRelease(): Promise<boolean> {
    return !('problem' in (await llamaArchive(this.#deps.release, false)));
  }

  /** The llama-server that `install` would install. */
  async installable(): Promise<InstallableRuntime> {
    const archive = await this.#archive();
    if ('problem' in archive) {
      const { problem } = archive;
      return { version: null, host: null, sizeBytes: null, usesCard: null, replaces: false, problem };
    }
    const { version, url, sizeBytes, usesCard } = archive;
    const replaces = usesCard === true && (await this.#replaces(archive));
    return { version, host: new URL(url).host, sizeBytes, usesCard, replaces, problem: null };
  }

  /** @returns the job; a second request returns the one under way @throws TooManyJobs, ShuttingDown */
  async install(): Promise<Job> {
    const { jobs } = this.#deps;
    const job = jobs.add({
      ...{ kind: 'install-runtime', subject: 'llama-server', steps },
      work: (progress) => this.#work(progress),
    });
    await jobs.saved();
    return job;
  }

  async #work(progress: JobProgress): Promise<void> {
    const archive = await this.#archive();
    if ('problem' in archive) {
      const action = 'Install llama-server by other means, and name it by the option --llama-server.';
      throw new JobFailed({ reason: 'not-found', message: archive.problem, action });
    }
    try {
      await this.#install(archive, progress);
    } catch (error) {
      throw progress.signal.aborted ? error : failureOf(error, this.#deps.runtimesDir);
    }
  }

  async #replaces({ sha256 }: LlamaArchive): Promise<boolean> {
    const { runtimesDir, mayReplace } = this.#deps;
    const installed = await readInstalled(runtimesDir);
    return installed?.sha256 !== sha256 && (await mayReplace());
  }

  async #archive(): Promise<LlamaArchive | { readonly problem: string }> {
    const { release, wantsCardBuild } = this.#deps;
    return llamaArchive(release, await wantsCardBuild());
  }

  async #install(archive: LlamaArchive, progress: JobProgress): Promise<void> {
    const { runtimesDir, childEnvironment, clock, onInstalled } = this.#deps;
    const { sha256, version } = archive;
    await makeFolder(runtimesDir);
    const before = await readInstalled(runtimesDir);
    const file = join(runtimesDir, `${sha256}.part`);
    progress.step('download');
    progress.detail(downloadDetail(archive));
    await needSpace(runtimesDir, archive.sizeBytes ?? ASSUMED_BYTES);
    await downloaded(clock, archive, { file, progress });

    progress.step('unpack');
    const folder = join(runtimesDir, `llama-server-${version}-${sha256.slice(0, 8)}`);
    const fresh = `${folder}.new`;
    await rm(fresh, { recursive: true, force: true });
    try {
      await unpackArchive(file, fresh, progress.signal);
      const program = await findProgram(fresh, 'llama-server');
      if (program === null) throw new ArchiveUnusable('The archive holds no llama-server.');
      await chmod(program, 0o755);

      progress.step('try');
      const answer = await askLlamaServer(program, childEnvironment());
      if ('problem' in answer)
        throw new ArchiveUnusable(`The downloaded llama-server cannot be used: ${answer.problem}`);
      progress.signal.throwIfAborted();
      await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder);
      const path = join(folder, relative(fresh, program));
      await writeInstalled(runtimesDir, { version: answer.version, program: relative(runtimesDir, path), sha256 });
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
    await rm(file, { force: true });
    await removeOthers(runtimesDir, [relative(runtimesDir, folder), before?.program.split(/[\\/]/)[0]]);
    onInstalled();
  }
}

/** `For graphics cards, from github.com`. */
function downloadDetail({ url, usesCard }: LlamaArchive): string {
  const { host } = new URL(url);
  if (usesCard === null) return `From ${host}`;
  return `For ${usesCard ? 'graphics cards' : 'the processor'}, from ${host}`;
}

async function downloaded(
  clock: Clock,
  { url, sha256 }: LlamaArchive,
  { file, progress }: { readonly file: string; readonly progress: JobProgress },
): Promise<void> {
  let meter: TransferMeter | null = null;
  try {
    await downloadFile({
      ...{ url, sha256, file, maxBytes: MAX_ARCHIVE_BYTES, clock, signal: progress.signal },
      onBytes: (doneBytes, totalBytes) => {
        meter ??= new TransferMeter(clock, totalBytes, progress.transfer);
        meter.set(doneBytes);
      },
    });
  } finally {
    (meter as TransferMeter | null)?.close();
  }
}

/** Removes earlier downloads. The one before stays: endpoints may still run it. */
async function removeOthers(runtimesDir: string, kept: readonly (string | undefined)[]): Promise<void> {
  for (const name of await readdir(runtimesDir)) {
    const isDownload = name.startsWith('llama-server-') || name.endsWith('.part');
    if (isDownload && !kept.includes(name)) await rm(join(runtimesDir, name), { recursive: true, force: true });
  }
}

/** @throws DiskFull */
async function needSpace(folder: string, archiveBytes: number): Promise<void> {
  const { freeBytes } = await diskSpace(folder);
  if (freeBytes >= SPACE_FACTOR * archiveBytes) return;
  throw new DiskFull(folder, { message: `The disk of ${folder} has too little space for llama-server.` });
}

function failureOf(error: unknown, runtimesDir: string): unknown {
  const storage = storageErrorBehind(error, runtimesDir);
  if (storage) return storageFailed(storage);
  const { message } = error as Error;
  if (error instanceof ArchiveUnusable) {
    const action = 'Install llama-server by other means, and name it by the option --llama-server.';
    return new JobFailed({ reason: 'unusable', message, action });
  }
  if (error instanceof AddressRefused) {
    return new JobFailed({ reason: 'network', message, action: 'Choose another address for llama-server.' });
  }
  if (!(error instanceof DownloadFailed)) return error;
  const actions: Readonly<Record<DownloadFailed['kind'], string>> = {
    network: 'Check the connection to the internet, then install again: it continues where it ended.',
    checksum: 'Do not use that archive. Check the address and the checksum of the options.',
    'not-found': 'Check the address of the option --llama-server-url.',
  };
  return new JobFailed({ reason: error.kind, message, action: actions[error.kind] });
}
