/** `npm start`: the daemon on the simulated robot, and its dashboard in the default browser. */
import { enableCompileCache } from 'node:module';

enableCompileCache();

const argv = process.argv.slice(2);
const window = !argv.includes('--no-window');
const daemonArguments = argv.filter((argument) => argument !== '--no-window');
if (!daemonArguments.includes('--sim')) daemonArguments.push('--sim');

const { runDaemon } = await import('../daemon/cli/run-daemon.ts');
await runDaemon(daemonArguments, { onReady: ({ url }) => void show(`${url}/`) });

async function show(address: string): Promise<void> {
  if (!window) return;
  if (!hasDisplay()) {
    console.log(`There is no screen here. Open ${address} in a browser.`);
    return;
  }
  const { default: open } = await import('open');
  const failed = () => console.log(`No browser could be opened. Open ${address} yourself.`);
  await open(address).then((child) => child.once('error', failed), failed);
}

function hasDisplay(): boolean {
  const { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  if (CI || SSH_CONNECTION) return false;
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}
