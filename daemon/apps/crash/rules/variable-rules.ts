/**
 * Recognizes that a program lacks an environment variable. All the given patterns must match; the group `names` of one
 * of them holds the variable's name, unless `variables` does.
 */
export interface VariableRule {
  /** Matches a line of the exception's message; without an exception, one of the last lines. */
  readonly sign: RegExp;
  /** Matches the traceback's line of the innermost frame. */
  readonly innermost?: RegExp;
  /** Matches the source line of the innermost frame. */
  readonly code?: RegExp;
  /** Matches one of the lines before, where the output has no traceback of Python. */
  readonly before?: RegExp;
  /** Matches the traceback's line of any frame. */
  readonly frame?: RegExp;
  /** The variables, where the message does not name them. */
  readonly variables?: readonly string[];
}

/** `os.getenv("SPEECH_KEY")` or `os.environ.get("SPEECH_KEY")`, without a default. */
const unsetRead = String.raw`(?:\w+\.)?(?:getenv|environ\.get)\(\s*["'](?<names>\w+)["']\s*\)`;
const inEnvironment = /File "(?:<frozen os>|[^"]*[\\/]os\.py)", line \d+, in __(?:get|del)item__/;

/** Forms of access to the environment, and the texts of libraries that read it. The first match wins. */
export const variableRules: readonly VariableRule[] = [
  // The same exception of a program's own dictionary is a fault in its code, so the place matters.
  { sign: /^KeyError: b?'(?<names>\w+)'$/, innermost: inEnvironment },
  {
    sign: /^KeyError: '(?<key>\w+)'$/,
    code: /\bos\.environ(?:\.copy\(\))?\s*[)}]?\s*\[\s*["'](?<names>\w+)["']\s*\]/,
  },
  { sign: /^KeyError: '(?<key>\w+)'$/, before: /❱ .*\bos\.environ\[["'](?<names>\w+)["']\]/ },
  // An absent variable is None where its text is used.
  { sign: /^TypeError: can only concatenate str \(not "NoneType"\)/, code: new RegExp(String.raw`\+\s*${unsetRead}`) },
  {
    sign: /^TypeError: (?:int|float)\(\) argument must be .*not 'NoneType'/,
    code: new RegExp(String.raw`\b(?:int|float)\(\s*${unsetRead}\s*\)`),
  },
  {
    sign: /^AttributeError: 'NoneType' object has no attribute '\w+'/,
    code: new RegExp(String.raw`${unsetRead}\.\w`),
  },
  { sign: /^AssertionError\b/, code: new RegExp(String.raw`^assert \(?${unsetRead}`) },
  { sign: /^AssertionError\b/, code: /^assert \(?["'](?<names>\w+)["'] in os\.environ\b/ },
  // Libraries that read settings.
  { sign: /^KeyError: "Config '(?<names>\w+)' is missing, and has no default/ },
  { sign: /\bUndefinedValueError: (?<names>\w+) not found\. Declare it as envvar/ },
  { sign: /Missing (?:option|argument) .*\(env var: '(?<names>\w+)'/ },
  { sign: /[│|]\s*Missing (?:option|argument) .*\[env var: (?<names>\w+)/ },
  // Clients of services, most of which do not name the variable.
  { sign: /Missing credentials\. Please pass .*?`(?<names>[A-Z]\w+)`/ },
  { sign: /No API_KEY or ADC found/, variables: ['GOOGLE_API_KEY'] },
  {
    sign: /Could not resolve authentication method/,
    frame: /[\\/]anthropic[\\/]/,
    variables: ['ANTHROPIC_API_KEY'],
  },
  {
    sign: /No API key was provided|Missing key inputs argument/,
    frame: /[\\/]google[\\/]genai[\\/]/,
    variables: ['GEMINI_API_KEY'],
  },
  {
    sign: /LocalTokenNotFoundError: .*no token found|You must provide an api_key .*hf auth login/,
    variables: ['HF_TOKEN'],
  },
  {
    sign: /credentials were not found\. To set up Application Default Credentials/,
    variables: ['GOOGLE_APPLICATION_CREDENTIALS'],
  },
  {
    sign: /NoCredentialsError: Unable to locate credentials/,
    variables: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  },
  { sign: /NoRegionError: You must specify a region/, variables: ['AWS_DEFAULT_REGION'] },
  { sign: /Neither authorization header nor xi-api-key received/, variables: ['ELEVENLABS_API_KEY'] },
  {
    sign: /You didn't provide an API key\. You need to provide your API key/,
    frame: /[\\/]openai[\\/]/,
    variables: ['OPENAI_API_KEY'],
  },
];
