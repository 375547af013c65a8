/** The download of a Python, by a fake uv that makes a fake Python; everything else is done by the real ones. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { runCommand } from '../../shared/processes/run-command.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { fakePythonScript, writeProgram } from '../../testing/apps/fake-python.ts';
import { runCli } from '../../testing/daemon/run-cli.ts';
import { newDataDir, SHARED_TOOLS, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { uvIsHere } from '../../testing/python/uv.ts';
import { findUv, toolEnvironments } from './uv-and-pip.ts';

const hasUv = process.platform !== 'win32' && (await uvIsHere());
if (!hasUv) console.warn('SKIPPED: the download of a Python, because uv is not here');

describe.skipIf(!hasUv)('an app without a suitable Python', () => {
  let folder: string;
  let dataDir: string;
  let daemon: TestDaemon;
  let app: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'robot-desktop-download-'));
    dataDir = await newDataDir(['cache']);
    await writeProgram(join(folder, 'bin', 'uv'), await fakeUv(folder));
    vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env['PATH']}`);
    daemon = await startTestDaemon({ dataDir, installer: 'uv' });
    app = await writeAppPackage(join(folder, 'picky'), { name: 'picky', requiresPython: '>=3.98' });
  });
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true });
  });
  const downloads = () => readdir(join(dataDir, 'tools', 'pythons')).catch(() => []);

  test('is refused before anything is fetched, with the offer to download one', async () => {
    const { failure, steps } = await daemon.install(app);
    expect(failure).toMatchObject({
      reason: 'python-missing',
      message: expect.stringMatching(/^picky needs Python 3\.98 or newer; this machine has 3\.\d+/),
      action: 'Download Python 3.98 and install the app with it.',
      pythonDownload: '3.98.2',
    });
    expect(steps.find(({ state }) => state === 'failed')?.name).toBe('check');
    expect(await downloads()).toEqual([]);
    expect(await daemon.traces()).toEqual([]);
  });

  test('is refused by the command line, which says how to accept the download', async () => {
    const { code, out } = await command('install', app);
    expect(code).toBe(1);
    expect(out).toMatch(/^Nothing was installed\. picky needs Python 3\.98 or newer; .* Repeat .* --download-python/);
    expect(await downloads()).toEqual([]);
  });

  test('a failed download says so, and leaves nothing', async () => {
    await writeProgram(join(folder, 'offline'), '');
    const { failure } = await installWithDownload();
    expect(failure).toMatchObject({
      reason: 'network',
      message: 'Python 3.98 could not be downloaded.',
      evidence: [expect.stringContaining('dns error')],
    });
    await rm(join(folder, 'offline'));
    expect(await daemon.traces()).toEqual([]);
  });

  test('is installed with the download that the user accepts, and an update keeps it', async () => {
    const accepted = await command('install', app, '--download-python');
    expect(accepted).toMatchObject({ code: 0, out: 'picky is installed.\n' });
    expect(await downloads()).toEqual(['cpython-3.98.2-fake']);
    expect((await daemon.get('/api/apps/installed/picky')).body.pythonVersion).toBe('3.98.2');
    expect(await readFile(join(folder, 'environment'), 'utf8')).toBe('manual 0 0\n');
    // Without a new consent: the Python is there now.
    const { body } = await daemon.post('/api/apps/installed/picky/update?downloadPython=false');
    expect(await daemon.jobEnd(body.id)).toMatchObject({ state: 'done', failure: null });
    expect((await daemon.get('/api/apps/installed/picky')).body.pythonVersion).toBe('3.98.2');
  });

  /** Runs a command. On a busy machine, the daemon in this process may answer it too late. */
  async function command(...args: string[]) {
    for (let tries = 1; ; tries++) {
      const run = await runCli(...args, '--data-dir', dataDir);
      if (tries === 5 || !run.text.includes('does not answer')) return run;
    }
  }

  async function installWithDownload(): Promise<Job> {
    const { body } = await daemon.post('/api/apps/install', { url: app, downloadPython: true });
    return daemon.jobEnd(body.id);
  }
});

/** Lists and downloads a Python 3.98.2 that does not exist, and gives every other command to the real uv. */
async function fakeUv(folder: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const run = (file: string, args: readonly string[]) => runCommand(file, args, { env, deadlineMs: 20_000 });
  const found = await findUv(await toolEnvironments(SHARED_TOOLS), run);
  const [real = ''] = await run('python3', ['-c', 'import sys; print(sys._base_executable)']);
  const [uv = ''] = await run('sh', ['-c', `command -v '${found}'`]);
  return `#!/bin/sh
case "$1 $2" in
  'python list')
    echo 'cpython-3.99.0a1-linux-x86_64-gnu    <download available>'
    echo 'cpython-3.98.2-linux-x86_64-gnu      <download available>' ;;
  'python install')
    if [ -e '${folder}/offline' ]; then echo 'error: dns error: failed to lookup address information'; exit 1; fi
    echo "$UV_PYTHON_DOWNLOADS $UV_PYTHON_INSTALL_BIN $UV_PYTHON_INSTALL_REGISTRY" > '${folder}/environment'
    bin="$UV_PYTHON_INSTALL_DIR/cpython-3.98.2-fake/bin"
    mkdir -p "$bin"
    cat > "$bin/python3.98" <<'EOF'
${fakePythonScript('PLACE', '3.98.2', { real })}
EOF
    sed -i "s#PLACE#$bin/python3.98#" "$bin/python3.98"
    chmod +x "$bin/python3.98" ;;
  'venv '*)
    for last; do :; done
    '${uv}' venv --quiet --python '${real}' "$last"
    rm "$last/bin/python" "$last/bin/python3"
    ln -s '${real}' "$last/bin/python3"
    sed "s#exec '[^']*'#exec '$last/bin/python3'#" "$4" > "$last/bin/python"
    chmod +x "$last/bin/python" ;;
  'pip install')
    for each; do if [ -f "$each/pyproject.toml" ]; then sed -i 's/>=3.98/>=3.10/' "$each/pyproject.toml"; fi; done
    exec '${uv}' "$@" ;;
  *) exec '${uv}' "$@" ;;
esac
`;
}
