/**
 * `node make-endpoints.ts <folder> <turn>`: creates, changes and removes endpoints endlessly, for a test that kills it.
 * Prints each removal before it starts, and each action once it is acknowledged.
 */
import { endpointsIn, partsNamed, somebody } from './some-endpoints.ts';

const [folder = '', turn = ''] = process.argv.slice(2);
const endpoints = endpointsIn(folder);
await endpoints.load();

for (let number = 0; ; number++) {
  const name = `t${turn}-${number}`;
  await endpoints.create({
    ...{ namespace: 'me', parts: partsNamed(name), person: somebody },
    ...{ reasons: ['It fits.'], namePath: ['name'] },
  });
  console.log(`made ${name}`);
  if (number % 3 === 1) {
    await endpoints.update('me', name, { tags: ['changed'] }, somebody);
    console.log(`changed ${name}`);
  }
  if (number % 3 === 2) {
    console.log(`removing ${name}`);
    await endpoints.remove('me', name);
    console.log(`removed ${name}`);
  }
}
