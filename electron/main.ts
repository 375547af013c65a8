/** The entry of the desktop program, and the only file that imports Electron itself. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  nativeImage,
  nativeTheme,
  powerMonitor,
  safeStorage,
  session,
  shell,
  Tray,
  utilityProcess,
} from 'electron';
import { parseDaemonArguments } from '../daemon/cli/daemon-arguments.ts';
import { projectResources } from '../daemon/cli/project.ts';
import { BadArguments } from '../daemon/cli/shared/errors.ts';
import { runningDaemon } from '../daemon/cli/shared/holder.ts';
import { terminalCall } from '../daemon/cli/terminal-commands.ts';
import { watchEvents } from '../daemon/client/node/watch-events.ts';
import { createDaemon } from '../daemon/create-daemon.ts';
import { GuardianKeeper } from '../daemon/guardian/guardian-keeper.ts';
import { guardAssignment, startGuardian } from '../daemon/guardian/guardian-process.ts';
import { lazy } from '../daemon/shared/async/lazy.ts';
import { systemClock } from '../daemon/shared/clock.ts';
import { visibleText } from '../daemon/shared/display-text.ts';
import { dataPaths, platformDataDir } from '../daemon/shared/files/data-paths.ts';
import { keyFileSecretStore } from '../daemon/shared/files/key-file-secret-store.ts';
import { isProgram } from '../daemon/shared/files/program-on-path.ts';
import { createLogger } from '../daemon/shared/logger.ts';
import { isForBrowser } from './addresses.ts';
import { DesktopApp } from './desktop-app.ts';
import type { ElectronHost } from './electron-host.ts';
import { guardProgram } from './guardian/guard-program.ts';
import { LINK_SCHEME, ownOptions } from './links/install-link.ts';
import { autostartFile, autostartFolder } from './login/autostart-file.ts';
import { AT_LOGIN, loginCommand, systemLoginItem } from './login/login-item.ts';
import { ownAppImage } from './own-app-image.ts';
import { safeStorageSecrets } from './safe-storage-secrets.ts';
import { startAppImageAfter } from './start-again.ts';
import { attentionDot } from './tray/attention-dot.ts';
import { followedEvents } from './tray/daemon-state.ts';
import { TrayHost } from './tray/tray-host.ts';
import { checkAppImagePlace } from './updates/app-image-place.ts';
import { programUpdater } from './updates/program-updater.ts';
import { updateWay } from './updates/update-way.ts';
import { utilityForkNode } from './utility-fork-node.ts';

/** Pixels. macOS shows an icon as it is, others scale it. */
const TRAY_ICON = process.platform === 'darwin' ? 18 : 32;
const DOT = 32;

const appImage = ownAppImage({ isPackaged: app.isPackaged, resourcesPath: process.resourcesPath, env: process.env });

const host: ElectronHost = {
  app,
  session,
  powerMonitor,
  relaunch: (args) => {
    if (appImage === undefined) app.relaunch({ args });
    else startAppImageAfter(process.pid, appImage, args);
  },
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
  openTray: (iconFile) => {
    const icon = nativeImage.createFromPath(iconFile).resize({ width: TRAY_ICON, height: TRAY_ICON });
    const tray = new Tray(icon);
    return {
      setMenu: (template) => tray.setContextMenu(Menu.buildFromTemplate(template)),
      setToolTip: (text) => tray.setToolTip(text),
      onClick: (listener) => void tray.on('click', listener),
    };
  },
  attentionDot: () => nativeImage.createFromBitmap(attentionDot(DOT), { width: DOT, height: DOT }),
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
  const { argv, env, execPath, platform, resourcesPath } = process;
  const { isPackaged } = app;
  // Our own options are the arguments after `--`; those before it are Chromium's switches, and links.
  const given = parseDaemonArguments(ownOptions(argv, platform), 'auto');
  if (given === null) {
    void import('../daemon/cli/robot-daemon.ts').then(({ robotDaemon }) => {
      process.stdout.write(robotDaemon(app.getAppPath()).helpInformation());
      app.exit(0);
    });
  } else {
    const version = app.getVersion();
    // The archive of a package has the code of this process. Other programs read the rest, and they read no archive.
    const appPath = app.getAppPath();
    const projectDir = isPackaged ? resourcesPath : appPath;
    const resources = { ...projectResources(projectDir), ggufReader: join(appPath, 'dist', 'node', 'gguf-reader.cjs') };
    const forkNode = utilityForkNode(utilityProcess, () => app.whenReady());
    // The commands of an AppImage would vanish with it.
    const terminal = appImage === undefined ? { terminal: terminalCall(projectDir, given.dataDir) } : {};
    const secrets = safeStorageSecrets({
      safeStorage,
      whenReady: () => app.whenReady(),
      platform,
      fallback: keyFileSecretStore(dataPaths(given.dataDir).secretKeyFile),
    });
    const log = createLogger(given.logLevel);
    const guardian = new GuardianKeeper({
      start: async () => {
        const places = { appPath, resourcesPath, isPackaged, platform };
        const program = await guardProgram({ ...places, path: env['PATH'] ?? '' });
        const { assetsDir } = resources;
        return program && startGuardian(program, await guardAssignment(given, { assetsDir, hasWindow: true }));
      },
      clock: systemClock,
      log,
    });
    const trayHost = new TrayHost();
    const dataDir = given.dataDir === platformDataDir() ? null : given.dataDir;
    const atLogin = loginCommand({ isPackaged, execPath, appPath, appImage, dataDir });
    const desktop = new DesktopApp({
      host,
      version,
      platform,
      argv,
      process,
      die: () => process.kill(process.pid, 'SIGKILL'),
      clock: systemClock,
      dataDir: given.dataDir,
      iconFile: join(resources.assetsDir, 'icons', 'icon.png'),
      createDaemon: ({ anyPort, desktop: around }) =>
        createDaemon({
          ...{ ...given, ...(anyPort ? { port: 0 } : {}), ...terminal, version, resources, secrets, forkNode },
          opener: (path) => host.openPath(path),
          restart: () => desktop.restart(),
          desktop: around,
        }),
      runningDaemon,
      watchEvents: (url, signal, token) => watchEvents(url, followedEvents, signal, token),
      guardian,
      loginItem:
        platform === 'linux' ? autostartFile(autostartFolder(env, homedir()), atLogin) : systemLoginItem(app, atLogin),
      isLoginStart: () =>
        argv.includes(AT_LOGIN) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin),
      hasTrayHost: async () => platform !== 'linux' || trayHost.isThere(),
      desktopName: env['XDG_CURRENT_DESKTOP'] ?? '',
      updates: {
        way: () => updateWay({ isPackaged, platform, resourcesPath, execPath, appImage }),
        updater: lazy(async () => {
          const { autoUpdater, CancellationToken } = await import('electron-updater');
          return programUpdater<InstanceType<typeof CancellationToken>>(
            autoUpdater,
            () => new CancellationToken(),
            (file) => (appImage === undefined ? Promise.resolve() : checkAppImagePlace(appImage, file)),
          );
        }),
        isProgramThere: () => isProgram(atLogin.program),
      },
      log,
      announce: (url) => process.stdout.write(`Robot Desktop ${version} is at ${url}/\n`),
    });
    // Elsewhere the package says so: a desktop entry, the description of a program on macOS.
    if (platform === 'win32' && isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
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
