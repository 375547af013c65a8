/** The doctor's reports on what is outside the data folder: the container engine of the daemon's own setting, temporary files. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import type { Diagnosis } from '../doctor/examine.ts';
import { dataPaths } from '../shared/files/data-paths.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { startScriptedDocker } from '../testing/containers/scripted-docker.ts';
import { startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { newDataDir, robotDaemonProgram } from '../testing/daemon/test-daemon.ts';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';

test('the doctor names the container engine, or says that it does not answer and which endpoints need it', async () => {
  await using docker = await startScriptedDocker();
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await (await startDaemonProcess(dataDir, ['--container-engine', docker.socketPath])).kill();
  const doctor = async () => {
    const { code, out } = await runCli('doctor', '--json', '--data-dir', dataDir);
    const { containerEngine, findings } = JSON.parse(out) as Diagnosis;
    return { code, label: containerEngine.label, found: findings.filter(({ code }) => code === 'container-engine') };
  };

  const printed = await runCli('doctor', '--data-dir', dataDir);
  expect(printed.out).toContain(`containers   Docker 27.3.1 at ${docker.socketPath}, without graphics cards\n`);
  expect(await doctor()).toEqual({ code: 0, label: 'Docker 27.3.1', found: [] });

  await docker.end();
  const problem = `No container engine answers at ${docker.socketPath}, which the option --container-engine names.`;
  const how = 'Start that engine, or start the daemon without this option.';
  const found = { code: 'container-engine', where: 'this machine', fix: { kind: 'by-hand', how } };
  expect(await doctor()).toEqual({
    ...{ code: 0, label: null },
    found: [{ ...found, severity: 'note', what: `${problem} No endpoint needs it.` }],
  });

  const { model, ...parts } = partsNamed('chat');
  const image = { vLLM: { url: 'engines/vllm:cpu', healthRoute: '/health', port: 80 } };
  const { endpoints } = dataPaths(dataDir);
  await mkdir(endpoints, { recursive: true });
  await writeJsonFile(join(endpoints, 'endpoint-chat.json'), {
    namespace: 'lab',
    endpoint: { ...parts, model: { ...model, image }, status: pendingSince('2026-11-22T10:00:00.000Z') },
    ...{ reasons: [], sealed: { variables: {}, imagePassword: null } },
  });
  expect(await doctor()).toEqual({
    ...{ code: 1, label: null },
    found: [{ ...found, severity: 'broken', what: `${problem} The endpoint chat needs it.` }],
  });
});

test('the doctor says that nothing can be created in the folder for temporary files, and checks the rest', async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const nowhere = join(dataDir, 'nowhere');
  const args = [robotDaemonProgram, 'doctor', '--json', '--data-dir', dataDir];
  const { stdout, exitCode } = await execa(process.execPath, args, { reject: false, env: { TMPDIR: nowhere } });
  const { python, findings } = JSON.parse(stdout) as Diagnosis;
  expect(exitCode).toBe(1);
  expect(python).not.toBeNull();
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'temporary-folder', severity: 'broken', where: nowhere }),
  );
});
