import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startContainerEngine, type TestContainerEngine } from './container-engine.ts';
import { engineImage } from './engine-images.ts';
import { programFolders, type RegistrySettings } from './engine-settings.ts';

/** The programs that an engine is made of. */
const programs = ['podman', 'runc', 'conmon', 'iptables'];

/** Why tests of real containers are skipped. */
export const NO_CONTAINER_ENGINE = 'no container engine can run here';

/**
 * A real container engine for tests, which has run a container with a network. Says loudly why there is none.
 * @returns null where none can run
 */
export async function containerEngineForTests(choices: RegistrySettings = {}): Promise<TestContainerEngine | null> {
  const reason = missing();
  if (reason !== null) return skip(reason);
  try {
    const engine = await startContainerEngine(choices);
    try {
      await engine.podman('run', '--rm', '--env', 'TEST_BEHAVIOUR={"exitCode":0}', engineImage('custom'));
      return engine;
    } catch (error) {
      await engine[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    return skip(String(error));
  }
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

function skip(reason: string): null {
  console.warn(`SKIPPED: ${NO_CONTAINER_ENGINE}: ${reason}`);
  return null;
}
