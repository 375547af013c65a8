/** The group of each pattern stays; the other characters of the match are masked. */
const secrets: readonly RegExp[] = [
  /\b(hf_|sk-|gh[opsu]_|github_pat_|xox[abp]-|AKIA|AIza|eyJ)[\w*.-]{6,}/g,
  /\b(rd_(?:run_)?)[\w-]{40,}/g,
  /\b(Bearer |Basic )[\w+/=.~-]{6,}/gi,
  // Of headers, in a trace of a request and in source code.
  /(authorization(?:: |["']: ["']))(?!Bearer |Basic )[^\r\n"']{3,}/gi,
  /((?:set-)?cookie(?:: |["']: ["']))[^\r\n"']{3,}/gi,
  // In source code the value may be an expression, which is no secret.
  /((?:key|token|secret|passw(?:or)?d|pwd|signature)["']?(?: ?= ?|: ?["'])["']?)(?!os\.|self\.|lambda\b|None\b|\{)[^\s"'&,;)}\]]{3,}/gi,
  /(password: |passwd: )\S+/gi,
  /(--?(?:api-?key|token|password|secret) )\S+/gi,
  /(:\/\/)[^\s/@'"]{1,200}(?=@)/g,
];

/** The text with the tokens, keys and passwords that can be recognized replaced by `…`. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '$1…'), text);
}
