import { expect, test } from 'vitest';
import { type Rule, rules } from '../../app-package/rules.ts';

/** The table of all rules, in Markdown. */
function ruleTable(): string {
  const rows = Object.entries(rules)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, rule]: [string, Rule]) => {
      const severity = rule.severity === 'either' ? 'problem or warning' : rule.severity;
      return `| \`${id}\` | ${severity} | ${escaped(rule.title)} | ${escaped(rule.help)} | ${rule.fixable ? 'yes' : ''} |\n`;
    });
  return `# What a check finds

Made from the rules by \`npx vitest run --project unit daemon/assistant/check -u\`. A problem prevents the install or the publication, a
warning does not. With \`--fix\` the marked ones are repaired.

| Id | Is a | It means | What to do | Repaired |
|---|---|---|---|---|
${rows.join('')}`;
}

const escaped = (text: string) =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');

test('the table of rules in the documentation is that of the rules', async () => {
  await expect(ruleTable()).toMatchFileSnapshot('../../../docs/check-rules.md');
});
