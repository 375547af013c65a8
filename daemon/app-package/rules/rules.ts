import { authorRules, storeRules } from './author-rules.ts';
import { buildRules } from './build-rules.ts';
import { installRules } from './install-rules.ts';

/** Every rule by its stable id: of installs, of the store, of authors, and of the build. */
export const rules = { ...installRules, ...storeRules, ...authorRules, ...buildRules };

export type RuleId = keyof typeof rules;

export const isFixable = (id: RuleId): boolean => 'fixable' in rules[id];
