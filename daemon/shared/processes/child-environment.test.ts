import { expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';

test('variables that change Python are removed, those for the package index stay', () => {
  const parent = {
    PATH: '/bin',
    HOME: '/home/someone',
    MY_API_KEY: 'k',
    PYTHONPATH: '/elsewhere',
    PYTHONHOME: '/elsewhere',
    PYTHONDONTWRITEBYTECODE: '1',
    PIP_TARGET: '/elsewhere',
    PIP_INDEX_URL: 'https://index.example/simple',
    UV_OVERRIDE: '/elsewhere',
    VIRTUAL_ENV: '/elsewhere',
    ROBOT_RUN_TOKEN: 'of another run',
    ROBOT_AUDIO_DEVICE: 'Headset',
    ROBOT_CAMERA_DEVICE: '2',
    ROBOT_HUB_URL: 'https://hub.example',
    ROBOT_CACHE_DIR: '/cache',
    ROBOT_HUB_URLS: 'of something else',
    npm_config_cache: '/elsewhere',
  };
  expect(childEnvironment(parent, 'm')).toEqual({
    PATH: '/bin',
    HOME: '/home/someone',
    MY_API_KEY: 'k',
    PIP_INDEX_URL: 'https://index.example/simple',
    ROBOT_AUDIO_DEVICE: 'Headset',
    ROBOT_CAMERA_DEVICE: '2',
    ROBOT_HUB_URL: 'https://hub.example',
    ROBOT_CACHE_DIR: '/cache',
    PYTHONIOENCODING: 'utf-8',
    ROBOT_DAEMON_CHILD: 'm',
  });
});

test('variables that the user lists are kept', () => {
  const parent = { PYTHONPATH: '/mine', PIP_TARGET: '/x', ROBOT_KEEP_ENV: 'PYTHONPATH, OTHER' };
  expect(childEnvironment(parent, 'm')).toMatchObject({ PYTHONPATH: '/mine' });
  expect(childEnvironment(parent, 'm')).not.toHaveProperty('PIP_TARGET');
});

test("an AppImage's own variables do not reach apps", () => {
  const mount = '/tmp/.mount_RobotX';
  const environment = childEnvironment(
    {
      APPDIR: mount,
      APPIMAGE: '/home/ada/RobotDesktop.AppImage',
      PATH: `${mount}:${mount}/usr/bin:/usr/bin:/bin`,
      LD_LIBRARY_PATH: `${mount}/usr/lib`,
      XDG_DATA_DIRS: `${mount}/usr/share:/usr/share`,
    },
    'mark',
  );
  expect(environment).toMatchObject({ PATH: '/usr/bin:/bin', XDG_DATA_DIRS: '/usr/share' });
  expect(environment).not.toHaveProperty('LD_LIBRARY_PATH');
  expect(environment).not.toHaveProperty('APPDIR');
  expect(environment).not.toHaveProperty('APPIMAGE');
});
