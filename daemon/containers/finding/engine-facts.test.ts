import { expect, test } from 'vitest';
import { type EngineGreeting, engineFacts, engineGreeting } from './engine-facts.ts';

const podman: EngineGreeting = { kind: 'podman', label: 'Podman 5.4.0', version: '5.4.0' };
const docker: EngineGreeting = { kind: 'docker', label: 'Docker 27.3.1', version: '27.3.1' };

test('an engine greets with its name and version', () => {
  expect(engineGreeting({ server: 'Libpod/4.3.1 (linux)', 'api-version': '1.41' })).toEqual({
    ...{ kind: 'podman', label: 'Podman 4.3.1', version: '4.3.1' },
  });
  expect(engineGreeting({ server: 'Docker/27.3.1 (linux)', 'api-version': '1.47' })).toEqual(docker);
});

test('an engine that is too old, and one of Windows containers, say what to do', () => {
  expect(engineGreeting({ server: 'Docker/18.06.0 (linux)', 'api-version': '1.38' })).toEqual({
    problem: 'Docker 18.06.0 is too old.',
    action: 'Install a newer one.',
  });
  expect(engineGreeting({ server: 'Docker/27.3.1 (windows)', 'api-version': '1.47' })).toEqual({
    problem: 'Docker 27.3.1 runs containers of Windows only.',
    action: 'Switch it to Linux containers.',
  });
  expect(engineGreeting({ server: 'Libpod/3.4.4 (linux)', 'api-version': '1.40' })).toEqual({
    problem: 'Podman 3.4.4 is too old.',
    action: 'Install Podman 4 or newer.',
  });
  expect(engineGreeting({})).toMatchObject({ problem: 'Docker is too old.' });
});

test('a rootless Podman imposes the limits that the system passes on to users', () => {
  const host = { cgroupControllers: ['memory', 'pids'], security: { rootless: true, selinuxEnabled: true } };
  expect(engineFacts(podman, { host }, true)).toEqual({
    ...{ label: 'Podman 5.4.0', kind: 'podman', isRootless: true, gpu: 'cdi', usesSelinux: true },
    countsFiles: false,
    limits: { memory: true, cpu: false },
  });
});

test('Podman counts the files that a program has read with control groups 1 alone', () => {
  const countsFiles = (cgroupVersion: string) =>
    engineFacts(podman, { host: { cgroupControllers: [], cgroupVersion, security: {} } }, false).countsFiles;
  expect([countsFiles('v1'), countsFiles('v2')]).toEqual([true, false]);
});

test('an earlier Podman gives no graphics cards through this interface', () => {
  const host = { cgroupControllers: [], security: {} };
  expect(engineFacts({ ...podman, version: '4.9.3' }, { host }, true).gpu).toBeNull();
});

test('Docker gives graphics cards by its runtime, else by their description', () => {
  const info = { MemoryLimit: true, CpuCfsQuota: true, SecurityOptions: ['name=seccomp', 'name=rootless'] };
  expect(engineFacts(docker, { ...info, Runtimes: { nvidia: {}, runc: {} } }, false)).toEqual({
    ...{ label: 'Docker 27.3.1', kind: 'docker', isRootless: true, gpu: 'nvidia', usesSelinux: false },
    countsFiles: false,
    limits: { memory: true, cpu: true },
  });
  expect(engineFacts(docker, info, true).gpu).toBe('cdi');
  expect(engineFacts(docker, info, false).gpu).toBeNull();
});
