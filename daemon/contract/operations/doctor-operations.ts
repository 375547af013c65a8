import { LastInstallationCheck } from '../doctor/installation-check.ts';
import { ProblemReport } from '../doctor/problem-report.ts';
import { Job } from '../jobs.ts';
import { at, type Operation, tooManyJobs } from './operation.ts';

/** The check of the installation, and the report of a problem. */
export const doctorOperations = {
  getInstallationCheck: {
    ...at('GET /api/doctor', LastInstallationCheck),
    summary: 'The result of the last check of the installation since the daemon started',
    caller: 'deployer-of-all',
  },
  checkInstallation: {
    ...at('POST /api/doctor/check', Job, { status: 202 }),
    summary: 'Check the apps, the data folder, the tools and the network; replies at once with the job',
    caller: 'deployer-of-all',
    refusals: { 503: tooManyJobs },
  },
  getProblemReport: {
    ...at('GET /api/problem-report', ProblemReport),
    summary: 'The parts of a report of a problem, masked; nothing sends it anywhere',
    caller: 'deployer-of-all',
  },
} as const satisfies Record<string, Operation>;
