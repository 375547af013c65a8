import { browserName } from '../../access/browser-name.ts';
import { sessionOf } from '../../access/caller.ts';
import type { Notice } from '../../contract/notifications/notifications.ts';
import { diskSpace } from '../../shared/files/disk-space.ts';
import { clearSessionCookie, secretOf, setSessionCookie } from '../security/session-cookie.ts';
import type { Routes } from './serve-operations.ts';
import type { RouteServices } from './services.ts';

/** The daemon itself: its state, its check, its jobs, the sessions of dashboards, the bell, the mail server, the program around it. */
export function daemonRoutes(services: RouteServices) {
  const { status, dataDir, doctor, restart, desktop, jobs, sessions, issuedTokens, authenticate, board, mailer } =
    services;
  const reply = (notices: readonly Notice[]) => ({ notices: [...notices] });
  return {
    getDaemonStatus: () => status(),
    getStorage: async () => ({ dataDir, disk: await diskSpace(dataDir).catch(() => null) }),
    restartDaemon: ({ query }) => {
      restart.request({ interrupt: query.interrupt ?? false });
      return { restarting: true };
    },

    getInstallationCheck: () => ({ check: doctor.checker.last }),
    checkInstallation: () => doctor.checker.start(),
    getProblemReport: () => doctor.problemReport(),

    listJobs: () => jobs.list(),
    getJob: ({ params }) => jobs.get(params.jobId),
    getJobLog: ({ params }) => jobs.log(params.jobId),
    cancelJob: ({ params }) => jobs.cancel(params.jobId),

    getSession: async (_input, { request }) => sessionOf(await authenticate(request)),
    signIn: async ({ body }, { request, response }) => {
      const secret = await sessions.openWithToken(body.token, browserName(request.headers['user-agent']));
      setSessionCookie(response, secret);
      return sessionOf(await sessions.callerOf(secret));
    },
    signOut: async (_input, { request, response }) => {
      const secret = secretOf(request);
      clearSessionCookie(response);
      if (secret !== null) await sessions.end(secret);
      return sessionOf(await authenticate(request));
    },
    createSignInCode: (_input, { request }) => sessions.newTypedCode(secretOf(request)),
    listSessions: ({ caller }, { request }) => sessions.list(caller, secretOf(request)),
    endSession: async ({ params, caller }) => {
      await sessions.endById(params.sessionId, caller);
      return { ended: 1 };
    },
    endOtherSessions: async ({ caller }, { request }) => ({
      ended: await sessions.endOthers(caller, secretOf(request)),
    }),
    listTokens: () => issuedTokens.list(),
    createToken: ({ body }) => issuedTokens.create(body),
    revokeToken: ({ params }) => issuedTokens.revoke(params.tokenId),

    listNotices: () => reply(board.list),
    markNoticesSeen: async () => reply(await board.markAllSeen()),
    markNoticeSeen: async ({ params }) => reply(await board.markSeen(params.noticeId)),
    clearNotices: async () => reply(await board.clear()),
    getMailSettings: () => mailer.settings(),
    setMailSettings: ({ body }) => mailer.set(body),
    removeMailSettings: () => mailer.remove(),
    sendTestMail: () => mailer.test(),

    changeDesktop: ({ body }) => desktop.change(body),
    updateDesktop: ({ body }) => desktop.update(body.step),
  } satisfies Partial<Routes>;
}
