import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../shared/files/make-folder.ts';
import type { Logger } from '../../shared/logger.ts';
import type { DownloadCaches } from '../python/download-cache.ts';
import type { PythonTools } from '../python/python-tools.ts';
import { installRunner } from './install-runner.ts';

interface ToolsAheadDeps {
  readonly tools: Pick<PythonTools, 'isPrepared' | 'python' | 'prepare' | 'closing'>;
  readonly downloadCaches: Pick<DownloadCaches, 'ready'>;
  /** Holds work in progress; emptied at each start. */
  readonly workDir: string;
  /** Holds downloads for later installs. */
  readonly cacheDir: string;
  readonly childEnvironment: () => Record<string, string>;
  readonly log: Pick<Logger, 'info'>;
}

/** Prepares the tools that install apps before anybody installs one: the first install then takes no longer than others. */
export class ToolsAhead {
  readonly #deps: ToolsAheadDeps;
  #begun: Promise<void> | null = null;

  constructor(deps: ToolsAheadDeps) {
    this.#deps = deps;
  }

  /** Begins, once. An install that begins meanwhile waits for the tools. Never rejects. */
  begin(): Promise<void> {
    this.#begun ??= this.#prepare().catch((error: Error) => {
      // The first install tries again, and says why it fails.
      if (!this.#deps.tools.closing.aborted) this.#deps.log.info(`apps: no tools are prepared ahead: ${error.message}`);
    });
    return this.#begun;
  }

  async #prepare(): Promise<void> {
    const { tools, downloadCaches, workDir } = this.#deps;
    if (tools.isPrepared) return;
    const python = await tools.python();
    await downloadCaches.ready();
    await makeFolder(workDir);
    const work = await mkdtemp(join(workDir, 'tools-'));
    try {
      const progress = { signal: tools.closing, log: () => {} };
      await tools.prepare(python, installRunner({ ...this.#deps, work, progress }), { isAhead: true });
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
}
