import { alike, type CrashRule, environmentRules } from './environment-rules.ts';

const askAuthor = 'Ask the author to fix {own}.';
const olderSdk = 'Look for an update of Robot Desktop, or ask the author for a version that works with SDK {sdk}.';
const otherPython = 'Ask the author which Python it needs, and install it again with that one.';

/** The SDK's exception for a need without an endpoint; older ones raise a plain `KeyError`, with a text in quotes. */
export const missingEndpoint =
  /^(?:robot\.endpoints\.EndpointMissing: |KeyError: ')This app has no endpoint for "(?<need>[^"]{1,80})"\./;

/** Failures between an app and its packages, the SDK or Python. */
const codeRules: readonly CrashRule[] = [
  {
    cause: 'endpoint-missing',
    sign: missingEndpoint,
    message: 'It used a model for “{need}”, and has no endpoint for it.',
    action: "Choose one on the app's page, then start it again.",
  },
  {
    cause: 'endpoint-failed',
    sign: /^robot\.endpoints\.\w+: (?<detail>.+)$/,
    message: '{detail}',
    action: "Check the endpoint, or choose another one on the app's page, then start it again.",
  },
  // The last sentence of an SDK error says what to do.
  {
    cause: 'sdk-too-old',
    sign: /^robot\.errors\.RobotConnectionError: .*version \d+ of the SDK protocol, the program version \d+/,
    message: 'It was installed with an SDK that this version of Robot Desktop no longer supports.',
    action: 'Install the app again.',
  },
  {
    cause: 'missing-module',
    sign: /^(?:robot\.errors\.AudioUnavailable: Sound needs|ImportError: This app has a settings page, which needs) (?:the library )?(?<module>\w+)/,
    message: 'It needs the Python package {module}, which is not installed with it.',
    action: 'Ask the author to add it to the dependencies in pyproject.toml.',
  },
  {
    cause: 'audio-busy',
    sign: /^robot\.errors\.AudioUnavailable: (?<detail>.*\.) (?<advice>[A-Z].*)$/,
    message: '{detail}',
    action: '{advice}',
  },
  {
    cause: 'robot-lost',
    sign: /^robot\.errors\.(?:RobotConnectionError|RobotUnavailable): (?<detail>.*\.) (?<advice>[A-Z].*)$/,
    message: '{detail}',
    action: '{advice}',
  },
  {
    cause: 'robot-lost',
    sign: /^robot\.errors\.(?:RobotConnectionError|RobotUnavailable): (?<detail>.+)$/,
    message: '{detail}',
    action: 'Wait until the robot is ready, then start it again.',
  },
  {
    cause: 'exception',
    sign: /^robot\.errors\.SlotTaken: (?<detail>.+)$/,
    message: '{detail}',
    action: 'Stop that program, then start it again.',
  },
  {
    cause: 'exception',
    sign: /^robot\.errors\.\w+: (?<detail>.+)$/,
    message: 'The robot could not do what it asked: {detail}',
    action: askAuthor,
  },
  // The SDK of another version.
  {
    cause: 'missing-module',
    sign: /No module named '?robot'?(?: |\)|$)/,
    message: "The robot SDK is not in the app's own environment.",
    action: 'Install the app again.',
  },
  ...alike('sdk-too-old', olderSdk, [
    {
      sign: /No module named '(?<name>robot\.[\w.]+)'/,
      message: 'It uses {name} of the robot SDK, which SDK {sdk} does not have. It was likely written for a newer one.',
    },
    {
      sign: /cannot import name '(?<name>\w+)' from '(?<from>robot(?:\.[\w.]+)?)'/,
      message:
        'It uses {name} of {from}, the robot SDK, which SDK {sdk} does not have. It was likely written for a newer one.',
    },
    {
      sign: /^AttributeError: (?:partially initialized )?(?:module '(?<from>robot(?:\.[\w.]+)?)'|(?:type object )?'(?<type>Robot|RobotApp|Media)'(?: object)?) has no attribute '(?<name>\w+)'/,
      message: 'It uses {name} of the robot SDK, which SDK {sdk} does not have. It was likely written for a newer one.',
    },
    {
      sign: /^TypeError: (?<call>(?:(?:Robot|RobotApp|Commands|Sound|Media)\.\w+|create_head_pose)\(\)) got an unexpected keyword argument '(?<name>\w+)'/,
      message:
        'It passes {name} to {call} of the robot SDK, which SDK {sdk} does not accept. It was likely written for a newer one.',
    },
  ]),
  {
    cause: 'sdk-too-new',
    sign: /^TypeError: (?<call>(?:(?:Robot|RobotApp|Commands|Sound|Media)\.\w+|create_head_pose)\(\)) (?:missing \d+ required|takes )/,
    message:
      'It calls {call} of the robot SDK with arguments that SDK {sdk} does not accept. It was likely written for an older one.',
    action: 'Look for an update of the app, or ask the author to adapt it to SDK {sdk}.',
  },
  {
    cause: 'sdk-too-old',
    sign: /(?:VersionConflict|ContextualVersionConflict): \(robot(?:-sdk)? .*'robot(?:-sdk)?(?<wanted>[>=~][^']*)'/,
    message: 'It needs the robot SDK {wanted}; this is SDK {sdk}.',
    action: olderSdk,
  },
  // A different version of Python.
  ...alike('python-version', otherPython, [
    {
      sign: /No module named '(?<name>distutils|imp|asynchat|asyncore|smtpd|audioop|cgi|cgitb|crypt|imghdr|pipes|sndhdr|telnetlib|uu)'/,
      message: 'It uses {name}, which newer versions of Python no longer have.',
    },
    {
      sign: /No module named '(?<name>tomllib|zoneinfo|graphlib|annotationlib)'/,
      message: 'It uses {name}, which only newer versions of Python have.',
    },
    {
      sign: /cannot import name '(?<name>\w+)' from '(?<module>typing|enum|datetime|itertools|asyncio|collections|inspect|warnings|contextlib|dataclasses|functools)'/,
      message: 'It uses {name} of {module}, which this version of Python does not have.',
    },
    {
      sign: /(?:requires?|needs?) (?:a )?(?:newer )?Python ?(?<wanted>(?:>=|==|~=|<)? ?3\.\d+)/i,
      message: 'It needs Python {wanted}; this is another version.',
    },
    {
      sign: /^SyntaxError: (?:invalid syntax|expected '[(:]')/,
      nearby: /^\s+(?:match .+:|case .+:|type \w+.* = .+|except\* ?.*:|(?:async )?def \w+\[.*|class \w+\[.*)$/,
      message: 'The line at {at} is likely written for a newer Python than this one.',
    },
    {
      sign: /^SyntaxError: f-string(?: expression part cannot include|: expecting '}'|: unmatched )/,
      message: 'The line at {at} is likely written for a newer Python than this one.',
    },
  ]),
  {
    cause: 'syntax-error',
    sign: /^(?<type>SyntaxError|IndentationError|TabError): (?<detail>.+)$/,
    message: 'Python cannot read the line at {at}: {detail}.',
    action: 'Ask the author to fix that line.',
  },
  // Missing packages, modules and libraries.
  {
    cause: 'missing-module',
    sign: /No module named (?<module>[\w.]+)\.__main__; '[\w.]+' is a package and cannot be directly executed/,
    message: 'The package {module} has no __main__ module, so it cannot be started.',
    action: 'Ask the author to name the module with the __main__ block in the entry point.',
  },
  {
    cause: 'missing-module',
    sign: /No module named '?(?<module>[\w.]+)'?/,
    ownModule: true,
    message: 'Its own module {module} is missing. The package was likely built without all its files.',
    action: 'Ask the author to add it to the packages in pyproject.toml.',
  },
  {
    cause: 'missing-module',
    sign: /No module named '?(?<module>[\w.]+)'?/,
    lacking: true,
    message: 'It needs the module {module}. {owner} is installed, but its version {version} has no such module.',
    action: 'Ask the author to list the versions of {owner} that it works with in pyproject.toml.',
  },
  {
    cause: 'missing-module',
    sign: /^(?:.*\()?ModuleNotFoundError: No module named '(?<module>[\w.]+)'/,
    message: 'It needs the Python package {package}, which is not installed with it.',
    action: 'Ask the author to add {package} to the dependencies in pyproject.toml.',
  },
  {
    cause: 'import-error',
    sign: /(?<library>[\w.+-]+\.(?:so[\d.]*|dylib)): cannot open shared object file|Library not loaded: \S*?(?<dylib>[\w.+-]+\.dylib)/,
    message: 'A system library is missing: {library}{dylib}.',
    action: 'Install the system package that provides it, then start it again.',
  },
  {
    cause: 'import-error',
    sign: /^(?:OSError: (?<library>\w+) library not found|ImportError: DLL load failed while importing (?<part>\w+))/,
    message: 'A compiled part of it cannot be loaded: {library}{part}. A system library is likely missing.',
    action: 'Install that library, then start it again.',
  },
  {
    cause: 'import-error',
    sign: /from partially initialized module '(?<module>[\w.]+)' \(most likely due to a circular import\)/,
    message: 'Two of its modules import each other: {module} is needed before it is ready.',
    action: askAuthor,
  },
  {
    cause: 'import-error',
    sign: /^ImportError: cannot import name '(?<name>\w+)' from '(?<module>[\w.]+)'/,
    message: '{module} has no {name}: this is likely another version than the app was written for.',
    action: 'Ask the author to list the versions that it works with in pyproject.toml.',
  },
  {
    cause: 'import-error',
    sign: /^ImportError: (?<detail>.+)$/,
    message: 'A part of it cannot be imported: {detail}.',
    action: askAuthor,
  },
];

/** The first match wins. */
export const crashRules: readonly CrashRule[] = [...codeRules, ...environmentRules];

/**
 * Errors typical of a bug in an exception handler. The exception it was handling is then not the cause of the crash.
 */
export const handlerErrors =
  /^(?:NameError|UnboundLocalError|AttributeError|TypeError|KeyError|IndexError|ZeroDivisionError|AssertionError)\b/;

/** Packages to install, by the name of a module that differs from its package's. */
export const packageOf: ReadonlyMap<string, string> = new Map([
  ['bs4', 'beautifulsoup4'],
  ['cv2', 'opencv-python'],
  ['dotenv', 'python-dotenv'],
  ['PIL', 'pillow'],
  ['serial', 'pyserial'],
  ['skimage', 'scikit-image'],
  ['sklearn', 'scikit-learn'],
  ['usb', 'pyusb'],
  ['yaml', 'pyyaml'],
  ['zmq', 'pyzmq'],
]);
