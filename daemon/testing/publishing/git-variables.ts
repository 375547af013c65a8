import { devNull } from 'node:os';
import { delimiter, dirname } from 'node:path';

/** The variables of git without settings of this machine. @param hasGit whether git is found */
export const gitVariables = (hasGit = true): Record<string, string> => ({
  PATH: hasGit ? (process.env['PATH'] ?? '') : [dirname(process.execPath), '/nowhere'].join(delimiter),
  HOME: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
});
