import * as z from 'zod';
import { AppSlotState } from './apps/app-slot.ts';
import { AppName } from './apps/app-source.ts';
import { InstalledApp } from './apps/apps.ts';
import { OwnApps } from './apps/own-apps.ts';
import { AppCrash, AppRun, OutputLine } from './apps/runs.ts';
import { HubAccount, StoreStatus } from './apps/store.ts';
import { CatalogSourceStatus } from './catalog/models.ts';
import { DaemonSnapshot, DaemonStatus } from './daemon.ts';
import { EndpointName, EndpointsStatus, Namespace } from './endpoints/endpoint.ts';
import { Job } from './jobs.ts';
import { NotificationsStatus } from './notifications/notifications.ts';
import { RobotPose, RobotState } from './robot/robot.ts';

/**
 * A change, with the current state of the whole resource: applying an event twice is harmless.
 * The first event of every stream is a snapshot, so a reconnect needs nothing else.
 */
export const DaemonEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('snapshot'), snapshot: DaemonSnapshot }),
    z.object({ type: z.literal('daemon.changed'), daemon: DaemonStatus }),
    z.object({ type: z.literal('app-slot.changed'), slot: AppSlotState }),
    z.object({ type: z.literal('installed-apps.changed'), installedApps: z.array(InstalledApp) }),
    z.object({ type: z.literal('own-apps.changed'), ownApps: OwnApps }),
    z.object({ type: z.literal('app-run.ended'), run: AppRun }),
    z.object({ type: z.literal('app-crashes.changed'), crashes: z.array(AppCrash) }),
    z.object({ type: z.literal('store.changed'), store: StoreStatus }),
    z.object({ type: z.literal('hub-account.changed'), hubAccount: HubAccount }),
    z.object({ type: z.literal('catalog-source.changed'), catalogSource: CatalogSourceStatus }),
    z.object({ type: z.literal('endpoints.changed'), endpoints: EndpointsStatus }),
    z.object({ type: z.literal('notifications.changed'), notifications: NotificationsStatus }),
    /** The processes of an endpoint wrote lines, up to the number `last`: `GET /api/endpoints/…/log` has them. */
    z.object({ type: z.literal('endpoint-log.grew'), namespace: Namespace, name: EndpointName, last: z.int() }),
    z.object({ type: z.literal('startup-app.changed'), startupApp: AppName.nullable() }),
    z.object({ type: z.literal('job.changed'), job: Job }),
    z.object({ type: z.literal('robot.changed'), robot: RobotState }),
    z.object({ type: z.literal('robot.pose'), pose: RobotPose }),
    /** New lines of the run's output, in order. A first number above last + 1 means lines were skipped: fetch them. */
    z.object({
      type: z.literal('app-output.appended'),
      runId: z.string(),
      appName: AppName,
      lines: z.array(OutputLine),
    }),
    /** Lines `from` to `to` exist but were not sent to this client: fetch `GET /api/apps/output?after=<from - 1>`. */
    z.object({ type: z.literal('app-output.gap'), runId: z.string(), appName: AppName, from: z.int(), to: z.int() }),
    /** The session of this reader has ended, and so does this stream: it may open another, without the session. */
    z.object({ type: z.literal('session.ended') }),
    /** Changes nothing: the daemon works. Sent every 2 s, so that a reader notices one that hangs. */
    z.object({ type: z.literal('heartbeat') }),
  ])
  .meta({ id: 'DaemonEvent' });
export type DaemonEvent = z.infer<typeof DaemonEvent>;

const EventType = z.enum(DaemonEvent.options.map(({ shape }) => shape.type.value));

/** Types of events in a query, separated by commas: `robot.changed,app-slot.changed`. */
export const EventTypes = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(EventType));
