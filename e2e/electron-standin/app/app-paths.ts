/** Where the app's folders are: the places of Linux, unless they were set. */
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { launch } from '../launch.ts';

const IN_HOME: Record<string, string> = {
  desktop: 'Desktop',
  documents: 'Documents',
  downloads: 'Downloads',
  music: 'Music',
  pictures: 'Pictures',
  videos: 'Videos',
};

export class AppPaths {
  readonly #set = new Map<string, string>();
  readonly #appName: () => string;

  constructor(appName: () => string, userDataSwitch: string) {
    this.#appName = appName;
    if (userDataSwitch) this.#set.set('userData', userDataSwitch);
  }

  /** @throws Error when there is no path of that name */
  get(name: string): string {
    const path = this.#set.get(name) ?? this.#default(name);
    if (path === null) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  /** @throws Error when there is no path of that name, or it is relative */
  set(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (this.#default(name) === null) throw new Error(`Failed to set path '${name}'`);
    this.#set.set(name, path);
  }

  #default(name: string): string | null {
    const home = homedir();
    const inHome = IN_HOME[name];
    if (inHome !== undefined) return join(home, inHome);
    switch (name) {
      case 'home':
        return home;
      case 'temp':
        return tmpdir();
      case 'appData':
        return process.env['XDG_CONFIG_HOME'] || join(home, '.config');
      case 'userData':
        return join(this.get('appData'), this.#appName());
      case 'sessionData':
        return this.get('userData');
      case 'logs':
        return join(this.get('userData'), 'logs');
      case 'crashDumps':
        return join(this.get('userData'), 'Crashpad');
      case 'exe':
      case 'module':
        return launch.executable;
      case 'assets':
        return launch.resourcesPath;
      default:
        return null;
    }
  }
}
