import { RuntimeList } from '../endpoints/runtimes.ts';
import { Job } from '../jobs.ts';
import { type Operation, tooManyJobs, unauthorized } from './operation.ts';

/** The programs that serve models on this machine. */
export const runtimeOperations = {
  listRuntimes: {
    method: 'GET',
    path: '/api/runtimes',
    summary: 'The programs that serve models on this machine, and which llama-server can be installed',
    success: { status: 200, schema: RuntimeList },
  },
  findRuntimes: {
    method: 'POST',
    path: '/api/runtimes/refresh',
    summary: 'Look again for the programs that serve models, after one was installed or removed',
    success: { status: 200, schema: RuntimeList },
  },
  installLlamaServer: {
    method: 'POST',
    path: '/api/runtimes/llama-server/install',
    summary: 'Install llama-server from its own project’s release; replies at once with its job',
    caller: 'deployer-of-all',
    success: { status: 202, schema: Job },
    refusals: { 401: unauthorized, 503: tooManyJobs },
  },
} as const satisfies Record<string, Operation>;
