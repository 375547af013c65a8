/** 1.2.3, or a version before it: 1.2.3-alpha.1, 1.2.3-beta.1, 1.2.3-rc.1. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(alpha|beta|rc)\.(0|[1-9]\d*))?$/;
const stages = ['alpha', 'beta', 'rc', undefined];

/**
 * @param given what the user typed
 * @param current the version in package.json
 * @throws Error, for a person
 */
export function newerVersion(given: string | undefined, current: string): string {
  const example = nextMinor(current);
  if (given === undefined) throw new Error(`The new version is missing. Try: npm run release -- ${example}`);
  const parts = partsOf(given);
  if (parts === null)
    throw new Error(`"${given}" is no version. One is three numbers, like ${example} or ${example}-beta.1.`);
  if (!isAbove(parts, partsOf(current) ?? [])) {
    throw new Error(`${given} is not newer than ${current}, the version in package.json. Try ${example}.`);
  }
  return given;
}

/** The numbers of a version in the order of their weight. @returns null: it is none */
function partsOf(version: string): readonly number[] | null {
  const [, major, minor, patch, stage, number] = VERSION.exec(version) ?? [];
  if (major === undefined) return null;
  return [Number(major), Number(minor), Number(patch), stages.indexOf(stage), Number(number ?? 0)];
}

function isAbove(parts: readonly number[], others: readonly number[]): boolean {
  const index = parts.findIndex((part, at) => part !== others[at]);
  return index >= 0 && (parts[index] ?? 0) > (others[index] ?? -1);
}

const nextMinor = (current: string) =>
  current.replace(/^(\d+)\.(\d+).*$/, (_, major: string, minor: string) => `${major}.${Number(minor) + 1}.0`);
