/** The files of a package for Linux, read by the programs that will read them on a user's machine, where these are there. */
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { noRobotHelp } from '../../daemon/robot/lite/connection-text.ts';
import { projectDir } from '../environment/project.ts';

const files = join(projectDir, 'scripts', 'packaging', 'linux');
const linux = process.platform === 'linux';
const ruleFile = join(files, '70-robot-lite.rules');

/** @returns the start of its version, 0: it is not installed */
async function majorVersion(program: string): Promise<number> {
  const { stdout } = await execa(program, ['--version'], { reject: false });
  return Number(/\d+/.exec(String(stdout))?.[0] ?? 0);
}

test('the rule is the one that the dashboard tells, in a file of the same name', async () => {
  const { usb } = JSON.parse(await readFile(join(projectDir, 'assets', 'hardware', 'lite.json'), 'utf8'));
  const lines = (await readFile(ruleFile, 'utf8')).split('\n');
  const rule = lines.filter((line) => line && !line.startsWith('#')).join('\n');
  const { command } = noRobotHelp(usb, 'linux');
  expect(command).toBe(
    `echo '${rule}' | sudo tee /etc/udev/rules.d/70-robot-lite.rules && sudo udevadm control --reload`,
  );
});

describe.runIf(linux)('on Linux', async () => {
  const udev = await majorVersion('udevadm');
  test.skipIf(udev < 254)('udev accepts the rule (needs udev 254)', async () => {
    await execa('udevadm', ['verify', ruleFile]);
  });

  test.each(['after-install.sh', 'after-remove.sh'])('the shell can read %s', async (name) => {
    await execa('sh', ['-n', join(files, name)]);
  });

  const parser = existsSync('/usr/sbin/apparmor_parser') ? await majorVersion('/usr/sbin/apparmor_parser') : 0;
  test.skipIf(parser === 0)('AppArmor accepts the profile (needs apparmor_parser)', async () => {
    const template = join(projectDir, 'node_modules', 'app-builder-lib', 'templates', 'linux', 'apparmor-profile.tpl');
    const profile = (await readFile(template, 'utf8')).replace(/\$\{\w+\}/g, 'robot-desktop');
    // Older versions do not know these two: after-install.sh then leaves the profile out.
    const known = parser >= 4 ? profile : profile.replace('abi <abi/4.0>,', '').replace('userns,', '');
    await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-apparmor-'));
    await writeFile(join(folder.path, 'profile'), known);
    await execa('/usr/sbin/apparmor_parser', ['--skip-kernel-load', '--skip-cache', join(folder.path, 'profile')]);
  });
});
