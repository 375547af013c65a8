import { expect, test } from 'vitest';
import { ownAppImage } from './own-app-image.ts';

const mounted = { isPackaged: true, resourcesPath: '/tmp/.mount_robot1/resources' };
const ours = { APPIMAGE: '/home/ann/robot.AppImage', APPDIR: '/tmp/.mount_robot1' };
const ofEditor = { APPIMAGE: '/home/ann/editor.AppImage', APPDIR: '/tmp/.mount_editor1' };

test('a program in an AppImage knows its file', () => {
  expect(ownAppImage({ ...mounted, env: ours })).toBe('/home/ann/robot.AppImage');
});

test.each([
  ['an installed package', { isPackaged: true, resourcesPath: '/opt/robot-desktop/resources' }, {}],
  [
    'an installed package, from a terminal inside another AppImage',
    { isPackaged: true, resourcesPath: '/opt/robot-desktop/resources' },
    ofEditor,
  ],
  ['an AppImage that was unpacked', { isPackaged: true, resourcesPath: '/squashfs-root/resources' }, ofEditor],
  ['the sources', { isPackaged: false, resourcesPath: '/tmp/.mount_editor1/resources' }, ofEditor],
  ['a folder whose name begins like the other one', { ...mounted, resourcesPath: '/tmp/.mount_editor12/r' }, ofEditor],
])('%s runs from none', (_what, start, env) => {
  expect(ownAppImage({ ...start, env })).toBeUndefined();
});
