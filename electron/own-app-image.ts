/** The facts about this start that `ownAppImage` needs. */
interface ThisStart {
  readonly isPackaged: boolean;
  /** Electron's folder of the program's files. */
  readonly resourcesPath: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The file of the AppImage that this program runs from; undefined: it runs from none. The program's files are gone once this
 * process is. A program that a terminal inside another AppImage starts, such as an editor's, inherits that one's variables.
 */
export function ownAppImage({ isPackaged, resourcesPath, env }: ThisStart): string | undefined {
  const isMounted = isPackaged && resourcesPath.startsWith(`${env['APPDIR']}/`);
  return isMounted ? env['APPIMAGE'] : undefined;
}
