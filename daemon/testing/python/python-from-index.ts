import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HostPython } from '../../app-package/python-finding.ts';
import { CommandFailed } from '../../shared/processes/run-command.ts';
import { projectDir } from '../daemon/test-daemon.ts';
import { createPythonEnvironment, pythonOf } from './python-environment.ts';

/** Pinned, because the tests depend on the behaviour of these versions. */
const packages = {
  'hub-client': 'huggingface_hub==2.4.0',
  /** The last version with the catalog's older paths. */
  'older-hub-client': 'huggingface_hub==2.0.0',
  numpy: 'numpy==2.2.6',
  /** For Pythons that the other one does not support. */
  'newer-numpy': 'numpy==2.3.5',
  openai: 'openai==3.54.0',
  schemathesis: 'schemathesis==4.32.5',
} as const;

/** The interpreter with a package of the package index, or the reason why there is none. */
export type PythonFromIndex = { readonly python: string } | { readonly missing: string };

/**
 * Creates, once, an environment with a third-party package from the package index.
 * @param base the Python to create it with; default: the system's
 */
export async function pythonFromIndex(
  name: keyof typeof packages,
  env: Readonly<Record<string, string>>,
  base?: Pick<HostPython, 'version'> & { readonly executable: string },
): Promise<PythonFromIndex> {
  const wanted = packages[name];
  const folder = join(projectDir, 'node_modules', '.cache', name, base ? `${wanted}-${base.version}` : wanted);
  const python = pythonOf(folder);
  const isReady = () =>
    access(python).then(
      () => true,
      () => false,
    );
  if (await isReady()) return { python };
  await mkdir(dirname(folder), { recursive: true });
  // Tests run in parallel: the first complete environment is moved into place.
  const draft = await mkdtemp(`${folder}-`);
  try {
    await createPythonEnvironment(draft, [wanted], env, base?.executable);
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
