/** The files of an app, by their paths with slashes. */
export type AppFiles = Readonly<Record<string, string>>;

const readme = `---
title: Good app
emoji: 🤖
short_description: Moves a little.
tags:
  - robot_python_app
---

# Good app
`;
const landing = {
  'index.html': '<!doctype html>\n<title>Good app</title>\n<link rel="stylesheet" href="style.css">\n',
  'style.css': 'body { margin: 0 }\n',
};

/** The module of a good app. */
export const goodMain = `"""Moves a little."""

import threading

from robot import Robot, RobotApp


class GoodApp(RobotApp):
    """The app."""

    custom_app_url = "http://localhost:8042"

    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        stop_event.wait()


if __name__ == "__main__":
    app = GoodApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

const goodPyproject = `[build-system]
requires = ["robot-sdk"]
build-backend = "robot.build"

[project]
name = "good-app"
version = "1.0.0"
requires-python = ">=3.10"
dependencies = [
  "robot-sdk",
]

[project.entry-points.robot_apps]
good_app = "good_app.main:GoodApp"

[tool.robot]
baseline = false
`;

/** An app by the specification's layout, with nothing to find in it. */
export const goodApp: AppFiles = {
  'pyproject.toml': goodPyproject,
  'README.md': readme,
  ...landing,
  'good_app/__init__.py': '',
  'good_app/main.py': goodMain,
  'good_app/static/index.html':
    '<!doctype html>\n<link href="style.css" rel="stylesheet">\n<script src="main.js"></script>\n',
  'good_app/static/style.css': '',
  'good_app/static/main.js': '',
};

const setuptools = (more: string) =>
  goodPyproject
    .replace(
      /requires = .*\nbuild-backend = .*/,
      'requires = ["setuptools>=68"]\nbuild-backend = "setuptools.build_meta"',
    )
    .concat(more);

function moved(files: AppFiles, from: string, to: string): AppFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path.startsWith(from) ? to + path.slice(from.length) : path, text]),
  );
}

/** Good apps in the styles of different authors. */
export const goodApps: Readonly<Record<string, AppFiles>> = {
  'as the specification shows': goodApp,
  'in src, with setuptools': {
    ...moved(goodApp, 'good_app/', 'src/good_app/'),
    'pyproject.toml': setuptools(`
[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
good_app = ["static/*"]
`),
  },
  'flat, with setuptools, tests and docs': {
    ...goodApp,
    'pyproject.toml': setuptools(`
[tool.setuptools]
packages = ["good_app"]

[tool.setuptools.package-data]
"*" = ["**/*.html", "**/*.css", "**/*.js"]
`),
    'tests/test_app.py': 'def test_nothing():\n    assert True\n',
    'docs/index.md': '# Docs\n',
    '.gitignore': '.venv/\n__pycache__/\n',
    '.venv/lib/python3.11/site-packages/numpy/__init__.py': 'this is not Python\n',
  },
  'with another backend': {
    ...goodApp,
    'pyproject.toml': goodPyproject
      .replace(/requires = .*\nbuild-backend = .*/, 'requires = ["hatchling"]\nbuild-backend = "hatchling.build"')
      .concat('\n[tool.hatch.build.targets.wheel]\npackages = ["good_app"]\n'),
  },
  'with a dynamic version': {
    ...goodApp,
    'pyproject.toml': goodPyproject
      .replace(
        /requires = .*\nbuild-backend = .*/,
        'requires = ["poetry-core>=2"]\nbuild-backend = "poetry.core.masonry.api"',
      )
      .replace('version = "1.0.0"', 'dynamic = ["version"]')
      .concat('\n[tool.poetry]\nversion = "1.0.0"\npackages = [{ include = "good_app" }]\n'),
  },
  'in a subpackage': {
    ...moved(goodApp, 'good_app/static/', 'good_app/robotics/static/'),
    'pyproject.toml': goodPyproject.replace('good_app.main:', 'good_app.robotics.main:'),
    'good_app/main.py': '',
    'good_app/robotics/__init__.py': '',
    'good_app/robotics/main.py': goodMain,
  },
  'with __main__.py, and its class in another module': {
    ...goodApp,
    'good_app/app.py': goodMain.slice(0, goodMain.indexOf('\n\nif __name__')),
    'good_app/main.py': `from good_app.app import GoodApp


def main() -> None:
    app = GoodApp()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()


if "__main__" == __name__:
    main()
`,
    'good_app/__main__.py': 'from good_app.main import main\n\nmain()\n',
  },
  'with its own base class and no page': {
    ...goodApp,
    'good_app/base.py': `import robot


class Base(robot.RobotApp):
    def run(self, mini, stop, *more):
        stop.wait()
`,
    'good_app/main.py': `from .base import Base


class GoodApp(Base):
    custom_app_url = None

    def work(self):
        yield 1


if __name__ == "__main__":
    import signal

    app = GoodApp()
    signal.signal(signal.SIGTERM, lambda *_: app.stop())
    app.wrapped_run()
`,
  },
  'from an editor of Windows': Object.fromEntries(
    Object.entries(goodApp).map(([path, text]) => [
      path,
      `${/\.(?:toml|md|py)$/.test(path) ? '\uFEFF' : ''}${text.replaceAll('\n', '\r\n')}`,
    ]),
  ),
  'with a page of its own server and computed address': {
    ...goodApp,
    'good_app/main.py': goodMain
      .replace('import threading\n', 'import threading\nfrom http.server import HTTPServer\n')
      .replace(
        'custom_app_url = "http://localhost:8042"',
        'PORT = 7860\n    custom_app_url: str = f"http://0.0.0.0:{PORT}/"',
      ),
    'good_app/static/index.html':
      '<!doctype html>\n<script src="/static/app.js"></script>\n<img src="video_feed">\n<!-- <script src="old.js"></script> -->\n',
    'good_app/keys.py':
      'TOKEN = "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"\nCLASS = "sk-circle-fade-dot-animation-very-long"\n',
  },
};
