import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startContainerEngine, type TestContainerEngine } from './container-engine.ts';
import { engineImage } from './engine-images.ts';
import { programFolders, type RegistrySettings } from './engine-settings.ts';

/** The programs that an engine is made of. */
const programs = ['podman', 'runc', 'conmon', 'iptables'];

/** Why tests of real containers are skipped. */
export const NO_CONTAINER_ENGINE = 'no container engine can run here';

/** The variable with the reason why none can, or nothing where one can. The processes of a suite inherit it from its setup. */
const OUTCOME = 'TEST_CONTAINER_ENGINE_LACK';

/**
 * A real container engine for tests. Says loudly why there is none.
 * @returns null where none can run
 * @throws Error of an engine that fails although one can run here
 */
export async function containerEngineForTests(choices: RegistrySettings = {}): Promise<TestContainerEngine | null> {
  const reason = await tryContainerEngine();
  if (reason === '') return startContainerEngine(choices);
  console.warn(`SKIPPED: ${NO_CONTAINER_ENGINE}: ${reason}`);
  return null;
}

/**
 * Finds out whether a container engine can run here, once for this process and those that it starts afterwards.
 * @returns in one sentence why none can; empty: one can
 */
export async function tryContainerEngine(): Promise<string> {
  process.env[OUTCOME] ??= missing() ?? (await failure());
  return process.env[OUTCOME];
}

/** In one sentence; null: nothing. */
function missing(): string | null {
  if (process.platform !== 'linux') return 'the tests run Podman on Linux only.';
  if (process.getuid?.() !== 0) return "the tests run Podman as root only, and leave other users' settings alone.";
  const folders = programFolders();
  const absent = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  return absent.length === 0
    ? null
    : `there is no ${absent.join(', ')}; on Debian, install podman, runc, netavark and iptables.`;
}

/** Of a container with a network; empty: none. */
async function failure(): Promise<string> {
  try {
    await using engine = await startContainerEngine();
    await engine.podman('run', '--rm', '--env', 'TEST_BEHAVIOUR={"exitCode":0}', engineImage('custom'));
    return '';
  } catch (error) {
    return String(error);
  }
}
