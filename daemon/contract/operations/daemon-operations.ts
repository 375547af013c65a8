import * as z from 'zod';
import { DesktopChanges, DesktopStatus, UpdateStep } from '../desktop.ts';
import { Job, JobLog } from '../jobs.ts';
import { MailRequest, MailSent, MailSettings } from '../notifications/mail-settings.ts';
import { NoticeList } from '../notifications/notifications.ts';
import { DashboardSession, Session, SignInCode } from '../session.ts';
import { IssuedToken, NewToken, NewTokenRequest } from '../tokens.ts';
import { at, type Operation, refused } from './operation.ts';

const jobId = z.object({ jobId: z.string().max(64) });
const noSuchJob = { 404: refused('No such job') };

export const jobOperations = {
  listJobs: {
    ...at('GET /api/jobs', z.array(Job)),
    summary: 'Jobs, newest first',
  },
  getJob: {
    ...at('GET /api/jobs/{jobId}', Job),
    summary: 'One job',
    params: jobId,
    refusals: noSuchJob,
  },
  getJobLog: {
    ...at('GET /api/jobs/{jobId}/log', JobLog),
    summary: 'The log of a job',
    params: jobId,
    refusals: noSuchJob,
  },
  cancelJob: {
    ...at('POST /api/jobs/{jobId}/cancel', Job),
    summary: 'Cancel a job; an ended one stays unchanged',
    params: jobId,
    refusals: noSuchJob,
  },
} as const satisfies Record<string, Operation>;

/** The bell of the dashboard, and the mail server. */
export const notificationOperations = {
  listNotices: {
    ...at('GET /api/notifications', NoticeList),
    summary: 'The notifications of the last time, newest first, at most 200',
  },
  markNoticesSeen: {
    saves: true,
    ...at('POST /api/notifications/seen', NoticeList),
    summary: 'Note that a person has seen all notifications',
  },
  markNoticeSeen: {
    saves: true,
    ...at('POST /api/notifications/{noticeId}/seen', NoticeList),
    summary: 'Note that a person has seen a notification',
    params: z.object({ noticeId: z.string().max(64) }),
    refusals: { 404: refused('No such notification') },
  },
  clearNotices: {
    saves: true,
    ...at('DELETE /api/notifications', NoticeList),
    summary: 'Remove all notifications',
  },
  getMailSettings: {
    ...at('GET /api/mail', MailSettings),
    summary: 'The mail server for notifications, without its password',
    caller: 'deployer-of-all',
  },
  setMailSettings: {
    saves: true,
    ...at('PUT /api/mail', MailSettings),
    summary: 'Set the mail server; the password is saved encrypted and never shown again',
    caller: 'deployer-of-all',
    body: MailRequest,
  },
  removeMailSettings: {
    saves: true,
    ...at('DELETE /api/mail', MailSettings),
    summary: 'Forget the mail server and its password',
    caller: 'deployer-of-all',
  },
  sendTestMail: {
    ...at('POST /api/mail/test', MailSent),
    summary: 'Send a mail with the saved settings; replies once the server has taken it',
    caller: 'deployer-of-all',
    refusals: {
      409: refused('No mail server is set up, or its password can no longer be read'),
      502: refused('The mail server cannot be reached, or refuses the mail'),
    },
  },
} as const satisfies Record<string, Operation>;

/** The number of sessions that were ended. */
const Ended = z.object({ ended: z.int() });

/** The dashboard's session, which may deploy once it is signed in. */
export const sessionOperations = {
  getSession: {
    ...at('GET /api/session', Session),
    summary: 'Whether the caller may deploy',
  },
  signIn: {
    ...at('PUT /api/session', Session),
    summary: 'Sign in with a token of this daemon; sets a cookie that is valid until it is unused for 30 days',
    body: z.strictObject({ token: z.string().min(1).max(500) }),
    refusals: { 401: refused('The token is unknown') },
  },
  signOut: {
    ...at('DELETE /api/session', Session),
    summary: 'Sign out',
    saves: true,
  },
  createSignInCode: {
    ...at('POST /api/session/code', SignInCode),
    summary: 'Make a code that signs another browser in once, within 15 minutes; the one before it becomes invalid',
    caller: 'own-user',
  },
  listSessions: {
    ...at('GET /api/sessions', z.array(DashboardSession)),
    summary:
      'The signed-in browsers, last used first; for one that signed in with a token of some namespaces: those of that token',
    caller: 'owner',
  },
  endSession: {
    ...at('DELETE /api/sessions/{sessionId}', Ended),
    summary: 'End a session of that list at once, with its event stream',
    params: z.object({ sessionId: z.string().max(64) }),
    caller: 'owner',
    saves: true,
    refusals: { 404: refused('The session has ended already') },
  },
  endOtherSessions: {
    ...at('DELETE /api/sessions', Ended),
    summary: "End all sessions of that list but the caller's own",
    caller: 'owner',
    saves: true,
  },
} as const satisfies Record<string, Operation>;

/** The tokens of this daemon. */
export const tokenOperations = {
  listTokens: {
    ...at('GET /api/tokens', z.array(IssuedToken)),
    summary: 'The tokens with their last use, without their texts; newest first',
    caller: 'own-user',
  },
  createToken: {
    saves: true,
    ...at('POST /api/tokens', NewToken),
    summary: 'Make a token; replies with its text, which is kept nowhere',
    caller: 'own-user',
    body: NewTokenRequest,
    refusals: { 409: refused('There is a token of that name, or there are too many') },
  },
  revokeToken: {
    saves: true,
    ...at('DELETE /api/tokens/{tokenId}', z.array(IssuedToken)),
    summary: 'Revoke a token at once, and end the sessions that it opened; replies with the others',
    params: z.object({ tokenId: z.string().max(64) }),
    caller: 'own-user',
    refusals: { 404: refused('It is revoked already') },
  },
} as const satisfies Record<string, Operation>;

/** The desktop program around the daemon: its settings, and newer versions of it. */
export const desktopOperations = {
  changeDesktop: {
    saves: true,
    ...at('PUT /api/desktop', DesktopStatus),
    summary: 'Change settings of the desktop program; those that are left out stay',
    caller: 'deployer-of-all',
    body: DesktopChanges,
    refusals: { 409: refused('The daemon runs without a window, or the system refuses the change') },
  },
  updateDesktop: {
    ...at('POST /api/desktop/update', DesktopStatus),
    summary:
      'Look for a newer version of the desktop program, download it, cancel that, or quit and install it; replies at once',
    caller: 'own-user',
    body: z.strictObject({ step: UpdateStep }),
    refusals: { 409: refused('The daemon runs without a window, or the step does not suit the state of the update') },
  },
} as const satisfies Record<string, Operation>;
