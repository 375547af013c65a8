import type { Frame } from './crash-traceback.ts';

/** The innermost frame in the app's own package, if any. */
export function ownFrame(frames: readonly Frame[], appPackage: string): Frame | undefined {
  return frames.findLast(({ file }) => ownFile(file, appPackage) !== null);
}

/** The path inside the package, `hello_wave/main.py`; null for a file of another package. */
export function ownFile(file: string, appPackage: string): string | null {
  const path = file.replaceAll('\\', '/');
  const installed = /^.*\/(?:site|dist)-packages\//.exec(path);
  if (installed) {
    const inside = path.slice(installed[0].length);
    return inside.startsWith(`${appPackage}/`) || inside === `${appPackage}.py` ? inside : null;
  }
  if (/\/(?:lib\/python\d[\d.]*|Lib)\//.test(path)) return null; // Python's own
  // The last match: a project's folder often has the name of the package inside it.
  const at = `/${path}`.lastIndexOf(`/${appPackage}/`);
  return appPackage === '' || at < 0 ? null : path.slice(at);
}

/** `hello_wave/main.py, line 12`; for a file outside the app's package, only its folder and name. */
export function codeLocation(frame: Frame, appPackage: string): string {
  const file = ownFile(frame.file, appPackage) ?? frame.file.split(/[\\/]/).slice(-2).join('/');
  return `${file}, line ${frame.line}`;
}
