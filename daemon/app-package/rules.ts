import { buildRules, installRules, type Rule } from './install-rules.ts';

/** The rules about being found once published. */
const storeRules = {
  'no-readme': {
    severity: 'warning',
    title: 'README.md is missing',
    help: 'Add it: the store reads the title and the tags of an app from it.',
    fixable: true,
  },
  'no-front-matter': {
    severity: 'warning',
    title: 'README.md has no front matter',
    help: 'Begin it with a block between lines of ---, with title and tags.',
    fixable: true,
  },
  'bad-front-matter': {
    severity: 'warning',
    title: 'The front matter cannot be read',
    help: 'Write it as valid YAML, at most 16 KB.',
  },
  'no-tag': {
    severity: 'warning',
    title: 'The tag is missing',
    help: 'Add robot_python_app to its tags.',
    fixable: true,
  },
  'no-title': {
    severity: 'warning',
    title: 'The front matter has no title',
    help: 'Add the title, the name of the app for people.',
    fixable: true,
  },
  'no-landing-page': {
    severity: 'warning',
    title: 'index.html is missing',
    help: 'Add it, with a few words and a picture of what the app does.',
    fixable: true,
  },
  'no-landing-style': {
    severity: 'warning',
    title: 'style.css is missing',
    help: 'Add it, and link it in index.html.',
    fixable: true,
  },
} as const satisfies Record<string, Rule>;

/** The rules that only authors are told of. */
const authorRules = {
  'no-init': {
    severity: 'warning',
    title: '__init__.py is missing',
    help: 'Add it, even empty: without it some tools do not take the folder as a package.',
    fixable: true,
  },
  'no-version': { severity: 'problem', title: 'There is no version', help: 'Add version = "0.1.0" to [project].' },
  'bad-version': { severity: 'problem', title: 'The version is invalid', help: 'Write it like 1.2.0 (PEP 440).' },
  'no-requires-python': {
    severity: 'warning',
    title: '"requires-python" is missing',
    help: 'Add requires-python = ">=3.10" to [project], or the oldest Python that you tried.',
  },
  'unknown-setting': {
    severity: 'warning',
    title: '[tool.robot] has an unknown setting',
    help: 'Remove it, or correct its name: it may have baseline and needs.',
  },
  'bad-space-value': {
    severity: 'warning',
    title: 'The hub does not take a value of the front matter',
    help: 'Correct sdk, colorFrom, colorTo, emoji or short_description: the Space may be refused, or show an error.',
  },
  'entry-name': {
    severity: 'warning',
    title: 'The entry point is named unlike the project or package',
    help: 'Give all three the same name, by which other tools find the app.',
  },
  'class-not-literal': {
    severity: 'warning',
    title: 'The class does not name RobotApp as its only base',
    help: 'Write "class Name(RobotApp)" if other tools should find it, too.',
  },
  'syntax-error': { severity: 'problem', title: 'A file is not valid Python', help: 'Correct the syntax.' },
  'no-run': {
    severity: 'problem',
    title: 'The class does not implement run',
    help: 'Define run(self, robot, stop_event).',
  },
  'bad-run': {
    severity: 'problem',
    title: 'run cannot be called with a robot and a stop event',
    help: 'Define it as run(self, robot, stop_event), without async.',
  },
  'stop-event-unused': {
    severity: 'warning',
    title: 'run never looks at its stop event',
    help: 'End the loop when stop_event is set: otherwise an app that is stopped is killed after 20 seconds.',
  },
  'main-no-wrapped-run': {
    severity: 'warning',
    title: 'The __main__ block does not call wrapped_run()',
    help: 'Call wrapped_run(): it connects to the robot, serves the page, and calls run.',
  },
  'main-no-stop': {
    severity: 'warning',
    title: 'A keyboard interrupt does not stop the app',
    help: 'Call stop() in an except KeyboardInterrupt around wrapped_run().',
  },
  'bad-page-address': {
    severity: 'warning',
    title: 'custom_app_url is not usable',
    help: 'Write an http address with a port, like http://localhost:8042, or None.',
  },
  'page-port-taken': {
    severity: 'either',
    title: 'The port of the page is taken',
    help: 'Use a port that neither the daemon nor the system reserves, like 8042.',
  },
  'page-missing': {
    severity: 'warning',
    title: 'There is nothing to show at custom_app_url',
    help: 'Add static/index.html to the package, or routes to settings_app.',
  },
  'missing-reference': {
    severity: 'warning',
    title: 'A page names a file that is missing',
    help: 'Add the file, or correct its name.',
  },
  secret: {
    severity: 'problem',
    title: 'A file holds a token',
    help: 'Read it from a variable, and revoke the one that was written down: whoever installs the app can read it.',
  },
  'large-file': {
    severity: 'warning',
    title: 'A file is larger than 10 MB',
    help: 'Shrink it, or fetch it at the first start: every user downloads it.',
  },
  'link-outside': {
    severity: 'problem',
    title: 'A link leads out of the folder',
    help: 'Replace the link by the file itself.',
  },
  'no-gitignore': {
    severity: 'warning',
    title: 'Environments, caches or variables are not ignored',
    help: 'Name them in a .gitignore.',
    fixable: true,
  },
  'too-many-files': {
    severity: 'warning',
    title: 'The folder holds too many files',
    help: 'Keep environments and data out of the folder.',
  },
} as const satisfies Record<string, Rule>;

/** Every rule by its stable id: of installs, of the store, of authors, and of the build. */
export const rules = { ...installRules, ...storeRules, ...authorRules, ...buildRules };

export type RuleId = keyof typeof rules;

export const isFixable = (id: RuleId): boolean => 'fixable' in rules[id];
