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

/** The rules about the install, which every install checks too. */
export const installRules = {
  'no-pyproject': {
    severity: 'problem',
    title: 'pyproject.toml is missing',
    help: 'Add a pyproject.toml, or choose the folder that holds it: an app is a Python package.',
  },
  'bad-pyproject': {
    severity: 'problem',
    title: 'pyproject.toml cannot be read',
    help: 'Write it as valid TOML, with the fields that Python packages have.',
  },
  'no-project': {
    severity: 'problem',
    title: 'There is no [project] table',
    help: 'Add [project] with the name and the version of the package.',
  },
  'no-entry-point': {
    severity: 'problem',
    title: 'No entry point declares the app',
    help: 'Add [project.entry-points.robot_apps] with one line: name = "package.main:ClassName".',
  },
  'two-entry-points': {
    severity: 'problem',
    title: 'Several entry points declare apps',
    help: 'Keep one line: a package holds one app.',
  },
  'bad-entry-point': {
    severity: 'problem',
    title: 'The entry point has another form',
    help: 'Write it as "package.main:ClassName".',
  },
  'bad-name': {
    severity: 'problem',
    title: 'A name cannot be used',
    help: 'Use letters, digits, ".", "_" and "-": names of apps and projects become folders and arguments.',
  },
  'bad-need': {
    severity: 'problem',
    title: 'A model in [tool.robot.needs] is wrong',
    help: 'Write one line per model, like chat = { task = "text-generation" }.',
  },
  'shadows-sdk': {
    severity: 'problem',
    title: 'A name is that of the SDK',
    help: 'Rename the package or the project.',
  },
  'shadows-standard-library': {
    severity: 'problem',
    title: "The package is named like one of Python's own modules",
    help: 'Rename the package.',
  },
  'no-module': {
    severity: 'problem',
    title: 'The module of the entry point is missing',
    help: 'Correct the entry point, or add the module: usually <package>.main.',
  },
  'no-main-block': {
    severity: 'problem',
    title: 'There is no __main__ block',
    help: 'Add a block that creates the app and calls wrapped_run(): the app is started as a module.',
  },
  'unusual-module': {
    severity: 'warning',
    title: 'The module is not <package>.main',
    help: 'Move the class to <package>.main, where other tools expect it.',
  },
  'large-file-pointer': {
    severity: 'either',
    title: 'A file only points to its content',
    help: 'Fetch it with git lfs pull, or remove it.',
  },
  submodules: {
    severity: 'warning',
    title: 'The package has git submodules',
    help: 'Copy what the app needs into the package: the content of submodules is not installed.',
  },
  'stray-packages': {
    severity: 'warning',
    title: 'Folders beside the package are installed with it',
    help: 'Name the package in "include" of [tool.setuptools.packages.find], so that tests and tools stay out.',
    fixable: true,
  },
  'static-not-packaged': {
    severity: 'warning',
    title: 'Static files are not installed',
    help: 'List them in [tool.setuptools.package-data].',
    fixable: true,
  },
  'bad-dependency': {
    severity: 'problem',
    title: 'A requirement is invalid',
    help: 'Write a name and versions, like "numpy>=1.26", or an https address.',
  },
  'git-dependency': {
    severity: 'warning',
    title: 'A requirement needs git',
    help: 'Prefer a released version: where git is missing, the app does not install.',
  },
  'uv-settings': {
    severity: 'warning',
    title: 'Settings apply to uv only',
    help: 'Put what is needed into [project]: these settings are ignored where the app is installed.',
  },
  'bad-requires-python': {
    severity: 'warning',
    title: '"requires-python" is not a version range',
    help: 'Write it like ">=3.10".',
  },
  'python-version': {
    severity: 'problem',
    title: 'No installed Python suits the app',
    help: 'Install one of the versions that it asks for, or widen "requires-python".',
  },
  'sdk-version': {
    severity: 'warning',
    title: 'Another version of the SDK is used',
    help: 'Ask for the SDK without a version, or for one that this Robot Desktop has.',
  },
  'sdk-mismatch': {
    severity: 'problem',
    title: 'The SDK of this Robot Desktop does not suit',
    help: 'Correct the requirement of robot-sdk, or update Robot Desktop.',
  },
  'in-subdirectory': { severity: 'problem', title: 'The app is in a folder below', help: 'Check that folder.' },
  'several-apps': { severity: 'problem', title: 'The apps are in folders below', help: 'Check one of them.' },
  'no-class': {
    severity: 'problem',
    title: 'The class of the entry point is missing',
    help: 'Name a class of the module, or correct its name.',
  },
  'not-robot-app': {
    severity: 'problem',
    title: 'The class is not a RobotApp',
    help: 'Derive it from RobotApp of the package robot.',
  },
} as const satisfies Record<string, Rule>;

/** The rules that only a build can check. */
export const buildRules = {
  'build-failed': {
    severity: 'problem',
    title: 'The package cannot be installed',
    help: 'Correct what the last lines of the build say.',
  },
  'dependency-conflict': {
    severity: 'problem',
    title: 'The requirements cannot be met',
    help: 'Correct "dependencies": they do not exist, or exclude each other.',
  },
  'entry-point-lost': {
    severity: 'problem',
    title: 'The installed package declares no app',
    help: 'Correct the settings of the build: it does not take over the entry point of pyproject.toml.',
  },
  'import-error': {
    severity: 'problem',
    title: 'The app cannot be imported',
    help: 'Correct the error, or add the missing package to "dependencies".',
  },
  'needs-variable': {
    severity: 'warning',
    title: 'The import needs a variable',
    help: 'Read variables in run, so that the app can be installed without them.',
  },
  'not-installed': {
    severity: 'warning',
    title: 'Static files are missing after the install',
    help: 'Let the build take them over: each backend has a setting for files that are not code.',
  },
  'also-installed': {
    severity: 'warning',
    title: 'Folders beside the package are installed with it',
    help: 'Let the build take the package of the app only.',
  },
  'uninstall-leaves': {
    severity: 'warning',
    title: 'An uninstall leaves files behind',
    help: 'Write into the working folder: the app writes into its own package.',
  },
  'code-not-checked': {
    severity: 'warning',
    title: 'The code was not checked',
    help: 'Install Python 3.10 or newer.',
  },
  'not-built': {
    severity: 'warning',
    title: 'The package could not be built here',
    help: 'Correct what the message says, then check again.',
  },
} as const satisfies Record<string, Rule>;
