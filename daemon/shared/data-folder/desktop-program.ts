/** @returns the command that opens the desktop program that this process is; null when it is none */
export function desktopProgram(): [string, ...string[]] | null {
  if (process.versions['electron'] === undefined) return null;
  // What an AppImage runs from is gone with the process.
  const program = process.env['APPIMAGE'] || process.execPath;
  // Run from its sources, it is Electron's own program with the folder of ours.
  return 'defaultApp' in process && process.argv[1] !== undefined ? [program, process.argv[1]] : [program];
}
