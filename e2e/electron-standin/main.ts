/** Runs an app's main process: its import of `electron` gives the stand-in's module, the rest is the app's own code. */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Chromium } from './chromium/chromium.ts';
import { app } from './module/app.ts';
import { launch } from './module/launch.ts';
import standIn from './package.json' with { type: 'json' };

const electronModule = new URL('./module/electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: electronModule, shortCircuit: true } : next(specifier, context),
});
imitateElectronProcess();
try {
  if (launch.requiredModule) createRequire(import.meta.url)(launch.requiredModule);
  await import(pathToFileURL(launch.mainFile).href);
  // Electron is ready only after the main module has loaded. Until then the app may append switches.
  app.becomeReady(await Chromium.start(app.commandLine.switches));
} catch (error) {
  console.error(error);
  process.exit(1);
}

function imitateElectronProcess(): void {
  const { executable, isPackaged, resourcesPath } = launch;
  process.argv = [executable, ...launch.arguments];
  process.execPath = executable;
  Object.defineProperty(process.versions, 'electron', { value: standIn.version, enumerable: true });
  Object.assign(process, { type: 'browser', resourcesPath, ...(isPackaged ? {} : { defaultApp: true }) });
}
