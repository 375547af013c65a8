import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

interface PackageJson {
  readonly version: string;
  readonly main: string;
}

interface Launch {
  /** The program that was started: Electron's binary, to the app. */
  readonly executable: string;
  /** The Node that the stand-in runs on. */
  readonly node: string;
  readonly resourcesPath: string;
  /** Whether the app is in `resources/app` beside the executable. */
  readonly isPackaged: boolean;
  readonly appPath: string;
  readonly packageJson: PackageJson;
  readonly mainFile: string;
  /** Without the module to require. */
  readonly arguments: readonly string[];
  /** Playwright's loader. */
  readonly requiredModule: string | null;
}

/** Describes the app that was started, and how. */
export const launch: Launch = readLaunch(process.argv.slice(2));

function readLaunch(given: readonly string[]): Launch {
  const executable = process.env['STANDIN_EXECUTABLE'];
  if (!executable) throw new Error('The Electron stand-in is started by its program `electron`.');
  delete process.env['STANDIN_EXECUTABLE']; // the app's children do not inherit it
  const requiredModule = given[0] === '-r' ? (given[1] ?? null) : null;
  const rest = requiredModule === null ? given : given.slice(2);
  const resourcesPath = join(dirname(executable), 'resources');
  const packagedApp = join(resourcesPath, 'app');
  const isPackaged = existsSync(packagedApp);
  const appPath = isPackaged ? packagedApp : resolve(rest.find((argument) => !argument.startsWith('-')) ?? '.');
  const packageJson = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8')) as PackageJson;
  const mainFile = join(appPath, packageJson.main);
  const node = process.execPath;
  return {
    executable,
    node,
    resourcesPath,
    isPackaged,
    appPath,
    packageJson,
    mainFile,
    arguments: rest,
    requiredModule,
  };
}
