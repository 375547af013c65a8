/** Headers with a secret, by the end of their names: `X-Goog-Api-Key`, too. */
const HEADER = '(?:authorization|cookie2?|api-?key|(?:auth|access|csrf|xsrf|session|security|private)-(?:token|key))';
/** Members, variables and parameters with a secret, by the end of their names. */
const NAME = '(?:key|token|secret|passw(?:or)?d|passphrase|pwd|signature)';
/** The scheme of the header Authorization, which is no secret. */
const SCHEME = '(?:(?:Bearer|Basic) {1,8})?';
/** A text in the place of a secret: `$TOKEN`, `<token>`, `{token}`, or one that is masked already. */
const PLACEHOLDER = String.raw`(?:\$\{?\w{1,60}\}?|<[^<>\r\n]{1,40}>|\{[\w.]{1,60}\}|%s|\*{3,9}|[…•]{1,9})(?:["'\s\\,;)\]}]|$)`;
/** Where a secret begins, after all that stays. */
const START = String.raw`(?! |\\?["']|(?:Bearer|Basic) |${PLACEHOLDER})`;
/** A quote, also one within a text that is quoted itself. */
const QUOTE = String.raw`(?<quote>\\?["'])`;
/** A character before that quote and before the end of the line, which may be written as an escape. */
const QUOTED = String.raw`(?:(?!\k<quote>)(?:\\[^rn\r\n]|[^\\\r\n]))`;
const IN_LINE = String.raw`(?:\\[^rn\r\n]|[^\\\r\n])`;

const pattern = (source: string): RegExp => new RegExp(source, 'gi');

/**
 * The first group of each pattern stays; the other characters of the match are masked. Each takes time in proportion to
 * the text, whatever is in it: each repetition is bounded, or ends at the first character that it may not have.
 */
const secrets: readonly RegExp[] = [
  // A header as a member or a pair: {"Cookie": "…"}, ('Cookie', b'…'), cookie: '…', h["Cookie"] = "…", 'set-cookie': […].
  pattern(
    String.raw`(${HEADER}(?:\\?["']\]?\s{0,4}(?:=>|[:,=])|:)\s{0,4}[bru]{0,2}${QUOTE}${SCHEME})${START}${QUOTED}+`,
  ),
  pattern(String.raw`(${HEADER}\\?["']?\s{0,4}:\s{0,4}\[)[^\]\r\n]+`),
  // A header in quotes, as for curl.
  pattern(String.raw`(${QUOTE}[\w-]{0,40}${HEADER}: {0,8}${SCHEME})${START}${QUOTED}+`),
  // A header of a request that was written out: all of its line, since a value may have quotes, commas and spaces.
  pattern(`(${HEADER}: {0,8}${SCHEME})${START}${IN_LINE}+`),
  /\b(hf_|sk-|gh[oprsu]_|github_pat_|xox[abeprs]-|AKIA|AIza|eyJ)[\w*.-]{6,}/g,
  /\b(rd_(?:run_)?)[\w-]{40,}/g,
  // Not in a sentence or a challenge: "Basic authentication", `Bearer realm="robot"`.
  /\b((?:Bearer|Basic) {1,8})(?!(?:auth|token|scheme|realm|header|credential)[a-z]{0,12}(?![\w+/~-]|\.\w))[\w+/=.~-]{6,}/gi,
  pattern(String.raw`(${NAME}(?:\\?["'])?\]?(?: ?= ?|: ?)${QUOTE})${START}${QUOTED}{3,}`),
  // In source code the value may be an expression, which is no secret.
  pattern(String.raw`(${NAME}["']? ?= ?)(?!os\.|self\.|lambda\b|None\b|\{)${START}[^\s"'&,;)}\]]{3,}`),
  pattern(String.raw`(password: |passwd: )${START}\S+`),
  // Options of commands; --user only with a password, -u also means other things.
  pattern(
    String.raw`((?<![\w-])--?(?:api-?key|token|password|secret|cookie|oauth2-bearer)[ =]${QUOTE})${START}${QUOTED}+`,
  ),
  pattern(String.raw`((?<![\w-])--?(?:api-?key|token|password|secret|cookie|oauth2-bearer)[ =])${START}\S+`),
  pattern(String.raw`((?:--(?:proxy-)?user[ =]|\s-u )["']?[^\s:"'\d][^\s:"']{0,200}:)(?![/\\])${START}[^\s"']+`),
  // Up to the last "@": a password may have one.
  /(:\/\/)[^\s/?#"<>\\]{1,2000}(?=@)/g,
];

/** The text with the tokens, keys and passwords that can be recognized replaced by `…`. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '$1…'), text);
}
