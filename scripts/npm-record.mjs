// Compares npm's own record of node_modules with package-lock.json. Plain JavaScript for Node 18: setup.mjs calls it.

/**
 * An entry of package-lock.json, with the fields compared here.
 * @typedef {{
 *   version?: string, resolved?: string, integrity?: string, optional?: boolean, dev?: boolean,
 *   os?: readonly string[], cpu?: readonly string[], libc?: readonly string[]
 * }} LockedPackage
 * @typedef {{ packages?: Readonly<Record<string, LockedPackage>> }} Lock
 * @typedef {{ platform: string, arch: string }} Machine
 */

/**
 * Whether node_modules holds the packages of package-lock.json, by the record that npm writes last, into
 * node_modules/.package-lock.json. Packages for another system must be absent; with `omitDev` those for development may be.
 * @param {Lock} lock
 * @param {Lock} record
 * @param {Machine} machine
 * @param {boolean} omitDev
 * @returns {boolean}
 */
export function isInstalled({ packages: wanted = {} }, { packages: present = {} }, machine, omitDev = false) {
  return (
    Object.keys(present).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, pack]) => {
      const there = present[path];
      if (path === '') return true; // the project itself
      if (there) return isSame(pack, there) && suits(pack, machine);
      return (omitDev && pack.dev === true) || mayBeMissing(pack, machine);
    })
  );
}

/**
 * @param {LockedPackage} wanted
 * @param {LockedPackage} present
 */
function isSame(wanted, present) {
  return wanted.version === present.version && wanted.integrity === present.integrity;
}

/**
 * A package without a system may be a dependency of one with a system. Detecting the C library would take too long.
 * @param {LockedPackage} pack
 * @param {Machine} machine
 */
function mayBeMissing(pack, machine) {
  return pack.optional === true && (!(pack.os || pack.cpu) || pack.libc !== undefined || !suits(pack, machine));
}

/**
 * @param {LockedPackage} pack
 * @param {Machine} machine
 */
function suits({ os, cpu }, { platform, arch }) {
  return isListed(os, platform) && isListed(cpu, arch);
}

/**
 * @param {readonly string[] | undefined} list names; `!` excludes one
 * @param {string} name
 */
function isListed(list, name) {
  if (!list || list.includes(name)) return true;
  return !list.includes(`!${name}`) && list.some((one) => one.startsWith('!'));
}
