/** The entry of the desktop program, and the only file that imports Electron itself. */
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  nativeTheme,
  powerMonitor,
  safeStorage,
  session,
  shell,
  utilityProcess,
} from 'electron';
import { parseDaemonArguments } from '../daemon/cli/daemon-arguments.ts';
import { projectResources } from '../daemon/cli/project.ts';
import { BadArguments } from '../daemon/cli/shared/errors.ts';
import { runningDaemon } from '../daemon/cli/shared/holder.ts';
import { terminalCall } from '../daemon/cli/terminal-commands.ts';
import { createDaemon } from '../daemon/create-daemon.ts';
import { GuardianKeeper } from '../daemon/guardian/guardian-keeper.ts';
import { guardAssignment, startGuardian } from '../daemon/guardian/guardian-process.ts';
import { systemClock } from '../daemon/shared/clock.ts';
import { visibleText } from '../daemon/shared/display-text.ts';
import { dataPaths } from '../daemon/shared/files/data-paths.ts';
import { keyFileSecretStore } from '../daemon/shared/files/key-file-secret-store.ts';
import { createLogger } from '../daemon/shared/logger.ts';
import { isForBrowser } from './addresses.ts';
import { DesktopApp } from './desktop-app.ts';
import type { ElectronHost } from './electron-host.ts';
import { guardProgram } from './guardian/guard-program.ts';
import { safeStorageSecrets } from './safe-storage-secrets.ts';
import { utilityForkNode } from './utility-fork-node.ts';

const host: ElectronHost = {
  app,
  session,
  powerMonitor,
  openOutside: (url) => {
    if (isForBrowser(url)) void shell.openExternal(url).catch(console.error);
  },
  openPath: async (path) => {
    const failure = await shell.openPath(path);
    if (failure) throw new Error(failure);
  },
  isDark: () => nativeTheme.shouldUseDarkColors,
  openWindow: (options) => new BrowserWindow(options),
  setMenu: (template) => Menu.setApplicationMenu(Menu.buildFromTemplate(template)),
  // Not showErrorBox, which blocks: a signal could not end the program.
  showError: async (title, text) => {
    await app.whenReady();
    await dialog.showMessageBox({ type: 'error', message: title, detail: text });
  },
  chooseFolder: async (title) =>
    (await dialog.showOpenDialog({ title, properties: ['openDirectory'] })).filePaths[0] ?? null,
  chooseFile: async (title, extensions) => {
    const filters = [{ name: extensions.map((each) => `.${each}`).join(', '), extensions: [...extensions] }];
    return (await dialog.showOpenDialog({ title, properties: ['openFile'], filters })).filePaths[0] ?? null;
  },
  ask: async (options) => (await dialog.showMessageBox(options)).response,
};

try {
  // Our own options are the arguments after `--`; those before it are Chromium's switches.
  const start = process.argv.indexOf('--');
  const given = parseDaemonArguments(start === -1 ? [] : process.argv.slice(start + 1), 'auto');
  if (given === null) {
    void import('../daemon/cli/robot-daemon.ts').then(({ robotDaemon }) => {
      process.stdout.write(robotDaemon(app.getAppPath()).helpInformation());
      app.exit(0);
    });
  } else {
    const version = app.getVersion();
    // The archive of a package has the code of this process. Other programs read the rest, and they read no archive.
    const projectDir = app.isPackaged ? process.resourcesPath : app.getAppPath();
    const resources = {
      ...projectResources(projectDir),
      ggufReader: join(app.getAppPath(), 'dist', 'node', 'gguf-reader.cjs'),
    };
    const forkNode = utilityForkNode(utilityProcess, () => app.whenReady());
    // An AppImage is mounted while it runs: its commands would vanish with it.
    const isMounted = app.isPackaged && projectDir.startsWith(`${process.env['APPDIR']}/`);
    const terminal = isMounted ? {} : { terminal: terminalCall(projectDir, given.dataDir) };
    const secrets = safeStorageSecrets({
      safeStorage,
      whenReady: () => app.whenReady(),
      platform: process.platform,
      fallback: keyFileSecretStore(dataPaths(given.dataDir).secretKeyFile),
    });
    const log = createLogger(given.logLevel);
    const guardian = new GuardianKeeper({
      start: async () => {
        const { resourcesPath, platform, env } = process;
        const places = { appPath: app.getAppPath(), resourcesPath, isPackaged: app.isPackaged, platform };
        const program = await guardProgram({ ...places, path: env['PATH'] ?? '' });
        const { assetsDir } = resources;
        return program && startGuardian(program, await guardAssignment(given, { assetsDir, hasWindow: true }));
      },
      clock: systemClock,
      log,
    });
    const desktop = new DesktopApp({
      host,
      version,
      platform: process.platform,
      process,
      die: () => process.kill(process.pid, 'SIGKILL'),
      clock: systemClock,
      dataDir: given.dataDir,
      iconFile: join(resources.assetsDir, 'icons', 'icon.png'),
      createDaemon: ({ anyPort }) =>
        createDaemon({
          ...{ ...given, ...(anyPort ? { port: 0 } : {}), ...terminal, version, resources, secrets, forkNode },
          opener: (path) => host.openPath(path),
          restart: () => desktop.restart(),
        }),
      runningDaemon,
      guardian,
      announce: (url) => process.stdout.write(`Robot Desktop ${version} is at ${url}/\n`),
    });
    process.stdout.on('error', () => {}); // a closed terminal must not end the daemon
    process.stderr.on('error', () => {});
    // Not awaited: Electron is ready only once this module is loaded.
    void desktop.run();
  }
} catch (error) {
  if (!(error instanceof BadArguments)) throw error;
  process.stderr.write(`robot-desktop: ${visibleText(error.message)}\nTry --help.\n`);
  app.exit(2);
}
