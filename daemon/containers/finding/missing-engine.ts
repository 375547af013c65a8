import type { ContainerEngineStatus } from '../../contract/endpoints/runtimes.ts';
import { programOnPath } from '../../shared/files/program-on-path.ts';

export type MissingEngine = Pick<ContainerEngineStatus, 'action' | 'command'> & { readonly problem: string };

/** The result of the look for an engine. */
interface EngineTraces {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** The programs on the search path, of those in `KNOWN_PROGRAMS`. */
  readonly programs: ReadonlySet<string>;
  /** Places that exist and may not be used by this user. */
  readonly forbidden: readonly string[];
  /** The variable that names an engine of another machine; null: none. */
  readonly remote: string | null;
}

/** The programs that show what is installed, and how to install something. */
export const KNOWN_PROGRAMS = ['podman', 'docker', 'apt-get', 'dnf', 'zypper', 'pacman', 'brew', 'winget'] as const;

const installCommands: readonly (readonly [(typeof KNOWN_PROGRAMS)[number], string])[] = [
  ['apt-get', 'sudo apt-get install -y podman'],
  ['dnf', 'sudo dnf install -y podman'],
  ['zypper', 'sudo zypper install -y podman'],
  ['pacman', 'sudo pacman -S --noconfirm podman'],
  ['brew', 'brew install podman'],
  ['winget', 'winget install RedHat.Podman'],
];

/** Why this machine has no container engine that can be used, and the one thing to do about it. */
export function missingEngine({ platform, isRoot, programs, forbidden, remote }: EngineTraces): MissingEngine {
  const isLinux = platform === 'linux';
  const asRoot = isRoot ? '' : 'sudo ';
  if (programs.has('podman')) {
    if (!isLinux) {
      return {
        problem: 'Podman is installed, and its machine does not run.',
        action: 'Start it. If there is none yet, "podman machine init --now" makes it.',
        command: 'podman machine start',
      };
    }
    const command = isRoot ? 'systemctl enable --now podman.socket' : 'systemctl --user enable --now podman.socket';
    return { problem: 'Podman is installed, and its service does not run.', action: 'Start the service.', command };
  }
  if (forbidden.some((place) => place.endsWith('docker.sock'))) {
    return {
      problem: 'Docker runs, and this user may not use it.',
      action: 'Add the user to the group docker, then sign in to the system again.',
      command: 'sudo usermod -aG docker "$USER"',
    };
  }
  if (remote !== null) {
    return {
      problem: `${remote} names an engine of another machine. Endpoints run in containers of this one only.`,
      action: 'Install Podman here.',
      command: installCommand(programs, asRoot),
    };
  }
  if (programs.has('docker')) {
    const problem = 'Docker is installed, and does not run.';
    if (isLinux) return { problem, action: 'Start it.', command: `${asRoot}systemctl enable --now docker` };
    return { problem, action: 'Start Docker Desktop.', command: null };
  }
  return {
    problem: 'No container engine is installed.',
    action: 'Install Podman.',
    command: installCommand(programs, asRoot),
  };
}

function installCommand(programs: ReadonlySet<string>, asRoot: string): string | null {
  const [, command] = installCommands.find(([program]) => programs.has(program)) ?? [];
  return command?.replace(/^sudo /, asRoot) ?? null;
}

/** Whether the search path has a container engine, which may not run. */
export async function hasEngineProgram(path: string, platform: NodeJS.Platform): Promise<boolean> {
  const found = await Promise.all(['docker', 'podman'].map((name) => programOnPath(name, path, platform)));
  return found.some((program) => program !== null);
}
