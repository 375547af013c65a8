// Compares npm's own record of node_modules with package-lock.json. Plain JavaScript for Node 18: setup.mjs calls it.

/**
 * An entry of package-lock.json, of what is compared here.
 * @typedef {{
 *   version?: string, resolved?: string, integrity?: string, optional?: boolean,
 *   os?: readonly string[], cpu?: readonly string[], libc?: readonly string[]
 * }} LockedPackage
 * @typedef {{ packages?: Readonly<Record<string, LockedPackage>> }} Lock
 * @typedef {{ platform: string, arch: string }} Machine
 */

/**
 * Whether node_modules holds what package-lock.json asks for, by the record that npm writes last of all into
 * node_modules/.package-lock.json. A package for another system is left out, and must not be there.
 * @param {Lock} lock
 * @param {Lock} record
 * @param {Machine} machine
 * @returns {boolean}
 */
export function isInstalled({ packages: wanted = {} }, { packages: present = {} }, machine) {
  return (
    Object.keys(present).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, pack]) => {
      const there = present[path];
      if (path === '') return true; // the project itself
      return there ? isSame(pack, there) && suits(pack, machine) : mayBeMissing(pack, machine);
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
 * A package that names no system may belong to one that does. Finding out the C library would take too long.
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
 * @param {readonly string[] | undefined} list names, or with `!` those that are left out
 * @param {string} name
 */
function isListed(list, name) {
  if (!list || list.includes(name)) return true;
  return !list.includes(`!${name}`) && list.some((one) => one.startsWith('!'));
}
