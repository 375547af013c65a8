import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { projectDir } from './test-daemon.ts';

/** Pinned: what a test learns of a client is of that version. */
const packages = {
  'hub-client': 'huggingface_hub==2.4.0',
  /** The last one that speaks the catalog's older paths. */
  'older-hub-client': 'huggingface_hub==2.0.0',
  schemathesis: 'schemathesis==4.32.5',
} as const;
const INSTALL_DEADLINE_MS = 180_000;

/** How to run Python with a package of the package index: by this interpreter, or why it cannot be had. */
export type PythonFromIndex = { readonly python: string } | { readonly missing: string };

/** An environment with a program or a library that is not ours, from the package index; made once. */
export async function pythonFromIndex(
  name: keyof typeof packages,
  env: Readonly<Record<string, string>>,
): Promise<PythonFromIndex> {
  const wanted = packages[name];
  const folder = join(projectDir, 'node_modules', '.cache', name, wanted);
  const python = join(folder, 'bin', 'python');
  const isReady = () =>
    access(python).then(
      () => true,
      () => false,
    );
  if (await isReady()) return { python };
  await mkdir(dirname(folder), { recursive: true });
  // Tests run side by side: whoever is first to have a whole one puts it there.
  const draft = await mkdtemp(`${folder}-`);
  try {
    await runCommand('python3', ['-m', 'venv', draft], { env, deadlineMs: INSTALL_DEADLINE_MS });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', wanted];
    await runCommand(join(draft, 'bin', 'python'), pip, { env, deadlineMs: INSTALL_DEADLINE_MS });
    await rename(draft, folder).catch(async (error: Error) => {
      if (!(await isReady())) throw error;
    });
    return { python };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { missing: error.lines.at(-1) ?? error.message };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
