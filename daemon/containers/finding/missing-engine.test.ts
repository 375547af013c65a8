import { expect, test } from 'vitest';
import { missingEngine } from './missing-engine.ts';

const nothing = {
  platform: 'linux',
  isRoot: false,
  programs: new Set<string>(),
  forbidden: [],
  remote: null,
} as const;
const socket = '/var/run/docker.sock';

test.each([
  [{}, 'No container engine is installed.', null],
  [{ programs: new Set(['dnf']) }, 'No container engine is installed.', 'sudo dnf install -y podman'],
  [{ programs: new Set(['apt-get']), isRoot: true }, 'No container engine is installed.', 'apt-get install -y podman'],
  [
    { programs: new Set(['podman', 'docker']) },
    'Podman is installed, and its service does not run.',
    'systemctl --user enable --now podman.socket',
  ],
  [
    { programs: new Set(['podman']), isRoot: true },
    'Podman is installed, and its service does not run.',
    'systemctl enable --now podman.socket',
  ],
  [
    { programs: new Set(['podman']), platform: 'darwin' },
    'Podman is installed, and its machine does not run.',
    'podman machine start',
  ],
  [
    { programs: new Set(['docker']), forbidden: [socket] },
    'Docker runs, and this user may not use it.',
    'sudo usermod -aG docker "$USER"',
  ],
  [{ programs: new Set(['docker']) }, 'Docker is installed, and does not run.', 'sudo systemctl enable --now docker'],
  [{ programs: new Set(['docker']), platform: 'win32' }, 'Docker is installed, and does not run.', null],
  [
    { remote: 'DOCKER_HOST', programs: new Set(['docker', 'apt-get']) },
    'DOCKER_HOST names an engine of another machine. Endpoints run in containers of this one only.',
    'sudo apt-get install -y podman',
  ],
] as const)('%o: what is missing, and the command that helps', (traces, problem, command) => {
  const found = missingEngine({ ...nothing, ...traces });
  expect(found).toEqual({ problem, action: expect.stringMatching(/^[A-Z].*\.$/), command });
});
