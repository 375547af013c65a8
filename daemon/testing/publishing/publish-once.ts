/**
 * Publishes a folder in a process of its own, which tests kill: `node publish-once.ts <folder> <hub> [no-git]`, with the token
 * in ROBOT_HUB_TOKEN. Prints the publication as JSON.
 */
import { publishApp } from '../../assistant/publish/publish-app.ts';
import { gitVariables } from './git-variables.ts';
import { hubClient } from './hub-client.ts';
import { passingCheck } from './passing-check.ts';

const [folder = '', hubUrl = '', git] = process.argv.slice(2);
const token = process.env['ROBOT_HUB_TOKEN'] ?? '';
const publication = await publishApp(
  folder,
  {},
  { hub: hubClient(hubUrl, token), token, environment: () => gitVariables(git !== 'no-git'), ...passingCheck },
  {
    signal: new AbortController().signal,
    step: (step) => console.error(step),
    detail: () => {},
    log: (line) => console.error(line),
  },
);
console.log(JSON.stringify(publication));
