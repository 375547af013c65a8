/** Environment variables that a program requires and does not have. */
export interface MissingVariables {
  readonly names: readonly string[];
  /** Whether the names may also be those of other settings. */
  readonly isLikely: boolean;
}

const MAX_CHARACTERS = 1_000;

/** In a line whose names were replaced, `<>` stands for one name or for several in a row. */
const NAME = String.raw`(?:\b[a-z]\w*\.){0,3}\$?\{?\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b\}?(?![\w(/-]|\.\w)`;
/** A single word in capitals, or a name in lower case, is a variable's only beside the words for it. */
const SHORT_NAME = String.raw`(?:["'\x60]\$?[A-Za-z]\w+["'\x60]|\$?\b[A-Z]{3,}\b)`;
const VARIABLE = `env(?:ironment)?[ -]?var(?:iable)?s?`;
const quote = String.raw`["'\x60]?`;

/** Names that hold an account with a service, and mean nothing else. */
const CREDENTIAL =
  /(?<!^(?:EOS|BOS|PAD|SEP|CLS|UNK|MASK|START|STOP|END|SPECIAL)_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|_SID|_ENDPOINT|_URL|_URI|_DSN)$/;

/** Exceptions that name constants, arguments and attributes of the code. */
const OF_CODE =
  /^(?:\w+\.)*(?:NameError|UnboundLocalError|AttributeError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError|TabError|FileNotFoundError|IndexError|TypeError|\w*Warning)\b|^robot\.errors\./;
/** The variable is set and refused, or is not needed, or the name is one of data. */
const OTHER_SENSE =
  /deprecat|suppress|silence|disable (?:this|the)|fall(?:ing|s)? back|(?:using|use) (?:the |a )?default|defaults? to|\boptional|skipp(?:ing|ed)|continuing|ignor(?:ing|ed)\b|\bunset the\b|must be (?:one of|an?\b|in\b|between|at |less|greater|positive|set to (?!(?:use|run|start|connect|call|enable|access|talk|be able)\b))|should be (?:an?|one)\b|is required to be|(?:required|missing) (?:property|field|column|argument|parameter|positional|keyword|option)|missing \d+ required|arguments? (?:is|are) required|(?:in|from) (?:the |its )?(?:\w+ )?(?:response|reply|payload)\b|\b(?:response|reply|payload) has no\b|\bcolumns?\b|tokeni[sz]er|vocabulary|already (?:set|exists)/i;

const NOT = `(?:not|n['’]t|never)(?: been)?`;
const SET = '(?:set(?! up\\b)|defined|provided|configured|specified|exported|supplied)';
const FOUND = '(?:found|given|present|available|exist)';
const BE = '(?:is|are|was|were|has|have|must|does|do|could|can)';
/** Text allowed between a name and a phrase such as `is not set`. */
const AFTER = String.raw`[:?]?(?:['’]s)?(?: (?:${VARIABLE}|variables?|secrets?|settings?|options?|(?:api |access )?(?:key|token)s?))?(?: \([^)]{0,60}\))?(?: in (?:the |your )?[\w. ]{1,30})?`;
const BEFORE = String.raw`(?:(?: the| a| an| your| all| of| following| required| mandatory| necessary| needed| values? (?:for|of)| ${VARIABLE}| env(?:ironment)?| variables?| settings?| config(?:uration)?s?| api[ _]keys?| secrets?| credentials?| keys?| tokens?)*)(?: \([^)]{0,60}\))?:?\s?[[({]?`;
/** `cannot be empty`, `has no value` */
const EMPTY = `(?:(?:must|can|should|may) ?(?:not|n['’]t) be|(?:can|must|should)['’]?t be|cannot be) (?:an? )?(?:empty|blank|unset|undefined|None\\b|null\\b)|has no value\\b`;
const REQUIRED = '(?:required|needed|mandatory|necessary)';

/** Says of any name that it has no value. */
const unset = new RegExp(
  String.raw`<>${AFTER},? (?:(?:${BE} )?${NOT}(?: be)? ${SET}|(?:is|was|has|does|are|were)n['’]t (?:been )?${SET}|(?:is|are|was|were) (?:an? )?(?:${REQUIRED}|unset|undefined|empty|blank|None\b)|${REQUIRED}\b|unset\b|(?:must|needs? to|should|has to|have to) be ${SET}\b|${EMPTY})|\bnot set:? <>|\brequires?${BEFORE}<>|\bmust (?:set|define|provide|export)${BEFORE}<>`,
  'i',
);
/** Says of a name that it is not there, which is also said of data. */
const missing = new RegExp(
  String.raw`<>${AFTER},? (?:(?:${BE} )?${NOT}(?: be)? ${FOUND}|(?:is|was|has|does|are|were)n['’]t ${FOUND}|(?:(?:is|are|was|were) )?missing\b)|\bmissing${BEFORE}<>|\b(?:no|without|undefined|unset)${BEFORE}<>|\b(?:did not|could not|couldn['’]t|cannot|can['’]t|unable to) (?:find|read|get|load)${BEFORE}<>|\bexpected${BEFORE}<>|\b(?:not (?:${SET}|found)|missing|unset|${REQUIRED}|empty)(?: in [\w. ]{1,30})?: ?<>`,
  'i',
);
/** Asks to set a name, which is also asked to change what a program does. */
const request = new RegExp(
  String.raw`\b(?:set|setting|provide|providing|define|defining|export|specify|configure|add|adding|put|needs?)${BEFORE}<>(?!\s?=\s?(?:true|false|\d)\b)|\b(?:provide|pass|set|give|supply|specify)\b.{0,60}\b(?:via|through|with|using|in)${BEFORE}<>`,
  'i',
);
/** The message is nothing but the name. */
const onlyName = /^(?!\w*KeyError)(?:\w+\.)*\w+: <>$/;
const ofEnvironment = new RegExp(String.raw`${VARIABLE}|\benv(?:iron(?:ment)?)?\b`, 'i');

/**
 * The environment variables that a sentence calls missing, `OPENAI_API_KEY is not set`, or null. A name that the
 * sentence does not call a variable, and that holds no account, is only likely one.
 */
export function variablesInWords(line: string): MissingVariables | null {
  if (OF_CODE.test(line) || OTHER_SENSE.test(line)) return null;
  const isOfEnvironment = ofEnvironment.test(line);
  const { text, names } = withNamesReplaced(line.slice(0, MAX_CHARACTERS), isOfEnvironment);
  const [first] = names;
  if (first === undefined) return null;
  const isCredential = CREDENTIAL.test(first);
  if (unset.test(text)) return { names, isLikely: !isOfEnvironment && !isCredential };
  if (missing.test(text) && (isOfEnvironment || isCredential)) return { names, isLikely: false };
  if (request.test(text) && isCredential) return { names, isLikely: false };
  if (onlyName.test(text) && isCredential) return { names, isLikely: true };
  return null;
}

/** Replaces each name, or several in a row, by `<>`. */
function withNamesReplaced(line: string, isOfEnvironment: boolean): { text: string; names: string[] } {
  const name = isOfEnvironment
    ? String.raw`(?:${NAME}|(?<=${VARIABLE}:? )${SHORT_NAME}|${quote}\b[A-Z]{3,}\b${quote}(?= ${VARIABLE}))`
    : NAME;
  const row = new RegExp(
    `${quote}${name}${quote}(?:(?:, (?:and |or )?| and(?:/or)? | or | & )${quote}${NAME}${quote})*`,
    'g',
  );
  const names: string[] = [];
  const text = line.replace(row, (found) => {
    // Of alternatives, the first is enough.
    const [wanted = found] = / or /.test(found) ? found.split(/,? or |, /) : [found];
    names.push(...(wanted.match(/[A-Za-z]\w*(?![\w.])/g) ?? []).filter((word) => word !== 'and'));
    return '<>';
  });
  return { text, names };
}
