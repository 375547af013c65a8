/** Runs an app's main process: the module `electron` becomes ours, the rest is the app's own source under Node. */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { app } from './app/app.ts';
import { startBrowser } from './browser/running-browser.ts';
import { dialog } from './desktop/dialog.ts';
import { launch } from './launch.ts';
import { openPopups } from './window/browser-window.ts';

/** Says so: nobody is to take a result for one of Electron's. */
const STAND_IN_VERSION = '45.4.1-stand-in';
/** The app's main module is loaded in less, unless it waits for something that comes after it. */
const LONG_LOAD_MS = 15_000;

const electronModule = new URL('./electron-module.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: electronModule, shortCircuit: true }
      : next(specifier, context),
});

imitateTheProcess();
showUncaughtExceptions();
for (const module of launch.requiredModules) createRequire(import.meta.url)(module);
await loadApp();
// Not before: the app may have appended switches, or have quit because it is the second of its kind.
if (!app.isEnding) await becomeReady();

async function becomeReady(): Promise<void> {
  try {
    const browser = await startBrowser(app.commandLine.forChromium());
    openPopups(browser.targets);
    app.becomeReady(browser);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

function imitateTheProcess(): void {
  const { executable, isPackaged, resourcesPath } = launch;
  process.argv = [executable, ...launch.arguments];
  process.execPath = executable;
  Object.defineProperty(process.versions, 'electron', { value: STAND_IN_VERSION, enumerable: true });
  Object.assign(process, { type: 'browser', resourcesPath, ...(isPackaged ? {} : { defaultApp: true }) });
}

/** In a dialog, and the app goes on, unless it listens to them itself. */
function showUncaughtExceptions(): void {
  process.on('uncaughtException', (error) => {
    if (process.listenerCount('uncaughtException') > 1) return;
    const text = `Uncaught Exception:\n${error.stack ?? error.message}`;
    dialog.showErrorBox('A JavaScript error occurred in the main process', text);
  });
}

async function loadApp(): Promise<void> {
  const late = setTimeout(() => {
    console.error('Electron stand-in: the main module still loads. Does it await app.whenReady() at its top level?');
    console.error('Electron would wait for ever too: it is ready only after the main module has loaded.');
  }, LONG_LOAD_MS);
  try {
    await import(pathToFileURL(launch.mainFile).href);
  } catch (error) {
    console.error('App threw an error during load');
    console.error(error);
    process.exit(1);
  } finally {
    clearTimeout(late);
  }
}
