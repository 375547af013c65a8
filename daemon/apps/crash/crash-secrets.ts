/** The groups are what stays. */
const secrets: readonly RegExp[] = [
  /\b(hf_|sk-|gh[opsu]_|github_pat_|xox[abp]-|AKIA|AIza|eyJ)[\w*.-]{6,}/g,
  /\b(Bearer |Basic )[\w+/=.~-]{6,}/gi,
  // What stands there in source code is only a name.
  /((?:key|token|secret|passw(?:or)?d|pwd|signature)["']?(?: ?= ?|: ?["'])["']?)(?!os\.|self\.|lambda\b|None\b|\{)[^\s"'&,;)}\]]{3,}/gi,
  /(password: |passwd: )\S+/gi,
  /(--?(?:api-?key|token|password|secret) )\S+/gi,
  /(:\/\/)[^\s/@'"]{1,200}(?=@)/g,
];

/** The text with tokens, keys and passwords cut out, as far as they can be told. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '$1…'), text);
}
