import type { DebArguments } from './fpm-arguments.ts';

/**
 * The text of DEBIAN/control, by Debian's policy.
 * @param installedKb what the files take on a disk, in units of 1024 bytes
 * @throws Error for a value that would begin another field
 */
export function controlFile(deb: DebArguments, installedKb: number): string {
  const fields: Readonly<Record<string, string | null>> = {
    Package: deb.name,
    Version: deb.version,
    License: deb.licence,
    Vendor: deb.vendor,
    Architecture: deb.architecture,
    Maintainer: deb.maintainer,
    'Installed-Size': String(installedKb),
    Depends: deb.depends.join(', '),
    Recommends: deb.recommends.join(', '),
    Section: deb.section,
    Priority: deb.priority,
    Homepage: deb.homepage,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) => (value ? [`${name}: ${oneLine(name, value)}`] : []));
  return `${lines.join('\n')}\nDescription: ${descriptionText(deb.description)}\n`;
}

function oneLine(name: string, value: string): string {
  if (/[\r\n]/.test(value)) throw new Error(`The field ${name} must be one line, not ${JSON.stringify(value)}.`);
  return value;
}

/** Further lines are indented; an empty one is a dot. */
function descriptionText(text: string): string {
  const [synopsis = '', ...lines] = text.trimEnd().split(/\r?\n/);
  return [synopsis.trim(), ...lines.map((line) => ` ${line.trim() || '.'}`)].join('\n');
}
