/** What was started: which app, with which arguments, packaged or not. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

interface PackageJson {
  readonly name?: string;
  readonly productName?: string;
  readonly version?: string;
  readonly main?: string;
}

export interface Launch {
  /** The wrapper that was started: what Electron's own binary would be. */
  readonly executable: string;
  /** The Node that runs all this; `process.execPath` is the executable, as in Electron. */
  readonly node: string;
  /** Beside the executable. An app in it makes the stand-in a packaged app. */
  readonly resourcesPath: string;
  readonly isPackaged: boolean;
  readonly appPath: string;
  readonly packageJson: PackageJson;
  readonly mainFile: string;
  /** As given, without the modules to require. */
  readonly arguments: readonly string[];
  /** Of `-r`: Playwright's loader comes this way. */
  readonly requiredModules: readonly string[];
}

export const launch: Launch = readLaunch(process.argv.slice(2));

function readLaunch(given: readonly string[]): Launch {
  const executable = process.env['STANDIN_EXECUTABLE'] ?? join(import.meta.dirname, 'electron');
  delete process.env['STANDIN_EXECUTABLE']; // not for the children of the app
  const resourcesPath = join(dirname(executable), 'resources');
  const { rest, requiredModules } = takeRequiredModules(given);
  const packagedApp = join(resourcesPath, 'app');
  const isPackaged = existsSync(join(packagedApp, 'package.json'));
  const appPath = isPackaged ? packagedApp : resolve(rest.find((argument) => !argument.startsWith('-')) ?? '.');
  return {
    executable,
    node: process.execPath,
    resourcesPath,
    isPackaged,
    ...readApp(appPath),
    arguments: rest,
    requiredModules,
  };
}

function readApp(path: string): Pick<Launch, 'appPath' | 'packageJson' | 'mainFile'> {
  if (!existsSync(path)) throw new Error(`There is no app at ${path}.`);
  if (statSync(path).isFile()) return { appPath: dirname(path), packageJson: {}, mainFile: path };
  const manifest = join(path, 'package.json');
  const packageJson = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as PackageJson) : {};
  // As require would: `main` may leave out its extension.
  const mainFile = createRequire(manifest).resolve(join(path, packageJson.main ?? 'index.js'));
  return { appPath: path, packageJson, mainFile };
}

function takeRequiredModules(given: readonly string[]): { rest: string[]; requiredModules: string[] } {
  const rest = [...given];
  const requiredModules: string[] = [];
  for (;;) {
    const end = rest.indexOf('--');
    const at = rest.findIndex((argument) => argument === '-r' || argument === '--require');
    if (at === -1 || (end !== -1 && end < at)) return { rest, requiredModules };
    const [, module] = rest.splice(at, 2);
    if (module !== undefined) requiredModules.push(module);
  }
}
