/**
 * `node gateway-daemon.ts <socket>`: the daemon, whose one public endpoint is served by the model server on that socket.
 * Prints the endpoint's address when it answers.
 */
import { startTestDaemon } from '../../daemon/testing/daemon/test-daemon.ts';
import { testBackends } from '../../daemon/testing/gateway/test-backends.ts';
import { minimalRequest } from '../../daemon/testing/models/some-endpoints.ts';

const daemon = await startTestDaemon({ backends: testBackends(process.argv[2] as string) });
const end = async () => {
  await daemon[Symbol.asyncDispose]();
  process.exit(0);
};
process.once('SIGTERM', () => void end());
const { name, value } = daemon.newSessionCookie();
const created = await fetch(`${daemon.url}/v2/endpoint/bench`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Cookie: `${name}=${value}` },
  body: JSON.stringify({ ...minimalRequest('model'), type: 'public' }),
});
if (!created.ok) throw new Error(await created.text());
console.log(`${daemon.url}/endpoints/bench/model`);
