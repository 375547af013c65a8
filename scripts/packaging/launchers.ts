/** The commands of a package, each with the flags that its Node gets: see the first lines of bin/. */
const commands: Readonly<Record<string, string>> = {
  'robot-daemon': '--max-semi-space-size=2 ',
  'robot-app-assistant': '',
};

/**
 * The programs in `resources/bin`, which run the built commands on the package's own Node. Without a compile cache: it
 * would lie among the installed files, and stay when these are removed.
 * @returns their texts by file name
 */
export function launchers(platform: NodeJS.Platform): Readonly<Record<string, string>> {
  const isWindows = platform === 'win32';
  return Object.fromEntries(
    Object.entries(commands).map(([name, flags]) =>
      isWindows ? [`${name}.cmd`, forWindows(name, flags)] : [name, forShell(name, flags)],
    ),
  );
}

const forShell = (name: string, flags: string) => `#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
NODE_DISABLE_COMPILE_CACHE=1 exec "$folder/../node/bin/node" ${flags}"$folder/${name}.cjs" "$@"
`;

const forWindows = (name: string, flags: string) =>
  [
    '@echo off',
    'setlocal',
    'set NODE_DISABLE_COMPILE_CACHE=1',
    `"%~dp0..\\node\\node.exe" ${flags}"%~dp0${name}.cjs" %*`,
    '',
  ].join('\r\n');
