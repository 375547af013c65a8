/** A rule that a package can break. */
export interface Rule {
  /** `either`: it depends on the place. */
  readonly severity: 'problem' | 'warning' | 'either';
  /** The rule in a few words, for lists of rules. */
  readonly title: string;
  /** Why it is there, and what to do, in a sentence or two. */
  readonly help: string;
  /** Whether `fix` repairs it. */
  readonly fixable?: true;
}

const ruleOf =
  (severity: Rule['severity']) =>
  (title: string, help: string, fixable?: 'fixable'): Rule => ({
    severity,
    title,
    help,
    ...(fixable && { fixable: true }),
  });
const problem = ruleOf('problem');
const warning = ruleOf('warning');
const either = ruleOf('either');

/** Every rule by its stable id. */
export const rules = {
  // Checked by every install.
  'no-pyproject': problem(
    'pyproject.toml is missing',
    'Add a pyproject.toml, or choose the folder that holds it: an app is a Python package.',
  ),
  'bad-pyproject': problem(
    'pyproject.toml cannot be read',
    'Write it as valid TOML, with the fields that Python packages have.',
  ),
  'no-project': problem('There is no [project] table', 'Add [project] with the name and the version of the package.'),
  'no-entry-point': problem(
    'No entry point declares the app',
    'Add [project.entry-points.robot_apps] with one line: name = "package.main:ClassName".',
  ),
  'two-entry-points': problem('Several entry points declare apps', 'Keep one line: a package holds one app.'),
  'bad-entry-point': problem('The entry point has another form', 'Write it as "package.main:ClassName".'),
  'bad-name': problem(
    'A name cannot be used',
    'Use letters, digits, ".", "_" and "-": names of apps and projects become folders and arguments.',
  ),
  'bad-need': problem(
    'A model in [tool.robot.needs] is wrong',
    'Write one line per model, like chat = { task = "text-generation" }.',
  ),
  'shadows-sdk': problem('A name is that of the SDK', 'Rename the package or the project.'),
  'shadows-standard-library': problem("The package is named like one of Python's own modules", 'Rename the package.'),
  'no-module': problem(
    'The module of the entry point is missing',
    'Correct the entry point, or add the module: usually <package>.main.',
  ),
  'no-main-block': problem(
    'There is no __main__ block',
    'Add a block that creates the app and calls wrapped_run(): the app is started as a module.',
  ),
  'unusual-module': warning(
    'The module is not <package>.main',
    'Move the class to <package>.main, where other tools expect it.',
  ),
  'large-file-pointer': either('A file only points to its content', 'Fetch it with git lfs pull, or remove it.'),
  submodules: warning(
    'The package has git submodules',
    'Copy what the app needs into the package: the content of submodules is not installed.',
  ),
  'stray-packages': warning(
    'Folders beside the package are installed with it',
    'Name the package in "include" of [tool.setuptools.packages.find], so that tests and tools stay out.',
    'fixable',
  ),
  'static-not-packaged': warning(
    'Static files are not installed',
    'List them in [tool.setuptools.package-data].',
    'fixable',
  ),
  'bad-dependency': problem(
    'A requirement is invalid',
    'Write a name and versions, like "numpy>=1.26", or an https address.',
  ),
  'git-dependency': warning(
    'A requirement needs git',
    'Prefer a released version: where git is missing, the app does not install.',
  ),
  'uv-settings': warning(
    'Settings apply to uv only',
    'Put what is needed into [project]: these settings are ignored where the app is installed.',
  ),
  'bad-requires-python': warning('"requires-python" is not a version range', 'Write it like ">=3.10".'),
  'python-version': problem(
    'No installed Python suits the app',
    'Install one of the versions that it asks for, or widen "requires-python".',
  ),
  'sdk-version': warning(
    'Another version of the SDK is used',
    'Ask for the SDK without a version, or for one that this Robot Desktop has.',
  ),
  'sdk-mismatch': problem(
    'The SDK of this Robot Desktop does not suit',
    'Correct the requirement of robot-sdk, or update Robot Desktop.',
  ),
  'in-subdirectory': problem('The app is in a folder below', 'Check that folder.'),
  'several-apps': problem('The apps are in folders below', 'Check one of them.'),
  'no-class': problem('The class of the entry point is missing', 'Name a class of the module, or correct its name.'),
  'not-robot-app': problem('The class is not a RobotApp', 'Derive it from RobotApp of the package robot.'),

  // Being found once published.
  'no-readme': warning(
    'README.md is missing',
    'Add it: the store reads the title and the tags of an app from it.',
    'fixable',
  ),
  'no-front-matter': warning(
    'README.md has no front matter',
    'Begin it with a block between lines of ---, with title and tags.',
    'fixable',
  ),
  'bad-front-matter': warning('The front matter cannot be read', 'Write it as valid YAML, at most 16 KB.'),
  'no-tag': warning('The tag is missing', 'Add robot_python_app to its tags.', 'fixable'),
  'no-title': warning('The front matter has no title', 'Add the title, the name of the app for people.', 'fixable'),
  'no-landing-page': warning(
    'index.html is missing',
    'Add it, with a few words and a picture of what the app does.',
    'fixable',
  ),
  'no-landing-style': warning('style.css is missing', 'Add it, and link it in index.html.', 'fixable'),

  // Reported to authors only.
  'no-init': warning(
    '__init__.py is missing',
    'Add it, even empty: without it some tools do not take the folder as a package.',
    'fixable',
  ),
  'no-version': problem('There is no version', 'Add version = "0.1.0" to [project].'),
  'bad-version': problem('The version is invalid', 'Write it like 1.2.0 (PEP 440).'),
  'no-requires-python': warning(
    '"requires-python" is missing',
    'Add requires-python = ">=3.10" to [project], or the oldest Python that you tried.',
  ),
  'unknown-setting': warning(
    '[tool.robot] has an unknown setting',
    'Remove it, or correct its name: it may have baseline and needs.',
  ),
  'bad-space-value': warning(
    'The hub does not take a value of the front matter',
    'Correct sdk, colorFrom, colorTo, emoji or short_description: the Space may be refused, or show an error.',
  ),
  'bad-icon': warning(
    'The icon is not shown',
    'Draw icon.svg with plain shapes and paths only, or save it as icon.png of at most 1024 × 1024 pixels; either at most 256 KB.',
  ),
  'entry-name': warning(
    'The entry point is named unlike the project or package',
    'Give all three the same name, by which other tools find the app.',
  ),
  'class-not-literal': warning(
    'The class does not name RobotApp as its only base',
    'Write "class Name(RobotApp)" if other tools should find it, too.',
  ),
  'syntax-error': problem('A file is not valid Python', 'Correct the syntax.'),
  'no-run': problem('The class does not implement run', 'Define run(self, robot, stop_event).'),
  'bad-run': problem(
    'run cannot be called with a robot and a stop event',
    'Define it as run(self, robot, stop_event), without async.',
  ),
  'stop-event-unused': warning(
    'run never looks at its stop event',
    'End the loop when stop_event is set: otherwise an app that is stopped is killed after 20 seconds.',
  ),
  'main-no-wrapped-run': warning(
    'The __main__ block does not call wrapped_run()',
    'Call wrapped_run(): it connects to the robot, serves the page, and calls run.',
  ),
  'main-no-stop': warning(
    'A keyboard interrupt does not stop the app',
    'Call stop() in an except KeyboardInterrupt around wrapped_run().',
  ),
  'bad-page-address': warning(
    'custom_app_url is not usable',
    'Write an http address with a port, like http://localhost:8042, or None.',
  ),
  'page-port-taken': either(
    'The port of the page is taken',
    'Use a port that neither the daemon nor the system reserves, like 8042.',
  ),
  'page-missing': warning(
    'There is nothing to show at custom_app_url',
    'Add static/index.html to the package, or routes to settings_app.',
  ),
  'missing-reference': warning('A page names a file that is missing', 'Add the file, or correct its name.'),
  secret: problem(
    'A file holds a token',
    'Read it from a variable, and revoke the one that was written down: whoever installs the app can read it.',
  ),
  'large-file': warning(
    'A file is larger than 10 MB',
    'Shrink it, or fetch it at the first start: every user downloads it.',
  ),
  'link-outside': problem('A link leads out of the folder', 'Replace the link by the file itself.'),
  'no-gitignore': warning('Environments, caches or variables are not ignored', 'Name them in a .gitignore.', 'fixable'),
  'too-many-files': warning('The folder holds too many files', 'Keep environments and data out of the folder.'),

  // Checked by a build only.
  'build-failed': problem('The package cannot be installed', 'Correct what the last lines of the build say.'),
  'dependency-conflict': problem(
    'The requirements cannot be met',
    'Correct "dependencies": they do not exist, or exclude each other.',
  ),
  'entry-point-lost': problem(
    'The installed package declares no app',
    'Correct the settings of the build: it does not take over the entry point of pyproject.toml.',
  ),
  'import-error': problem(
    'The app cannot be imported',
    'Correct the error, or add the missing package to "dependencies".',
  ),
  'needs-variable': warning(
    'The import needs a variable',
    'Read variables in run, so that the app can be installed without them.',
  ),
  'not-installed': warning(
    'Static files are missing after the install',
    'Let the build take them over: each backend has a setting for files that are not code.',
  ),
  'also-installed': warning(
    'Folders beside the package are installed with it',
    'Let the build take the package of the app only.',
  ),
  'uninstall-leaves': warning(
    'An uninstall leaves files behind',
    'Write into the working folder: the app writes into its own package.',
  ),
  'code-not-checked': warning('The code was not checked', 'Install Python 3.10 or newer.'),
  'not-built': warning('The package could not be built here', 'Correct what the message says, then check again.'),
};

export type RuleId = keyof typeof rules;

export const isFixable = (id: RuleId): boolean => rules[id].fixable === true;
