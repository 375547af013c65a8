/** @returns the command line that starts this desktop program again; null: not a desktop program */
export function desktopProgram(): [string, ...string[]] | null {
  if (process.versions['electron'] === undefined) return null;
  // The mounted executable of an AppImage disappears with the process.
  const program = process.env['APPIMAGE'] || process.execPath;
  // From sources, the program is Electron's own, with our folder as its argument.
  return 'defaultApp' in process && process.argv[1] !== undefined ? [program, process.argv[1]] : [program];
}
