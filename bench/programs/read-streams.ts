/**
 * `node read-streams.ts <url> <streams> <seconds>`: opens streams of tokens, and once all have begun counts the tokens of
 * the next seconds. Prints the tokens a second, and the seconds that the slowest stream took to begin, as JSON.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', streams = '1', seconds = '1'] = process.argv.slice(2);
const agent = new Agent();
const startMs = performance.now();
let tokens = 0;
let ended = 0;

const open = () =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}.`));
      response.on('data', (chunk: Buffer) => {
        resolve();
        for (let at = chunk.indexOf('data:'); at !== -1; at = chunk.indexOf('data:', at + 5)) tokens += 1;
      });
      response.on('close', () => {
        ended += 1;
      });
    }).on('error', reject);
  });

await Promise.all(Array.from({ length: Number(streams) }, open));
const begunMs = performance.now();
const before = tokens;
await sleep(Number(seconds) * 1_000);
const tookS = (performance.now() - begunMs) / 1_000;
console.log(JSON.stringify({ tokensPerSecond: (tokens - before) / tookS, beginS: (begunMs - startMs) / 1_000, ended }));
process.exit(0);
