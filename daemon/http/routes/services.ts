import type { DashboardSessions } from '../../access/dashboard-sessions.ts';
import type { IssuedTokens } from '../../access/issued-tokens.ts';
import type { AppIcons } from '../../apps/app-icons.ts';
import type { AppReadmes } from '../../apps/app-readmes.ts';
import type { AppStore } from '../../apps/app-store.ts';
import type { AppInstaller } from '../../apps/install/app-installer.ts';
import type { UpdateCheck } from '../../apps/install/update-check.ts';
import type { AppVersions } from '../../apps/installed/app-versions.ts';
import type { InstalledApps } from '../../apps/installed/installed-apps.ts';
import type { AppNeeds } from '../../apps/needs/app-needs.ts';
import type { DownloadCaches } from '../../apps/python/download-cache.ts';
import type { AppResets } from '../../apps/reset/app-resets.ts';
import type { MotionsById, RobotCommands } from '../../apps/robot-commands.ts';
import type { AppOutput } from '../../apps/run/app-output.ts';
import type { AppRunner } from '../../apps/run/app-runner.ts';
import type { AppSlot } from '../../apps/run/app-slot.ts';
import type { AppVariables } from '../../apps/run/app-variables.ts';
import type { RunHistory } from '../../apps/run/run-history.ts';
import type { StartupApp } from '../../apps/startup-app.ts';
import type { ChosenCatalog } from '../../catalog/remote/chosen-catalog.ts';
import type { Models } from '../../catalog/selection/models.ts';
import type { SampleApp } from '../../contract/apps/apps.ts';
import type { ModelDownloads } from '../../contract/catalog/models.ts';
import type { GraphicsCards as CardsReport } from '../../contract/compute/graphics-cards.ts';
import type { DaemonStatus } from '../../contract/daemon.ts';
import type { ProblemReport } from '../../contract/doctor/problem-report.ts';
import type { InstallationChecker } from '../../doctor/installation-checker.ts';
import type { Deployer } from '../../endpoints/deployer.ts';
import type { EndpointManagement } from '../../endpoints/endpoint-management.ts';
import type { OwnEndpoints } from '../../endpoints/own-endpoints.ts';
import type { LlamaServerInstaller } from '../../endpoints/runtime-install/llama-server-installer.ts';
import type { Runtimes } from '../../endpoints/runtimes.ts';
import type { GraphicsCards } from '../../graphics-cards/graphics-cards.ts';
import type { HubSignIn } from '../../hub/hub-sign-in.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import type { ModelFiles } from '../../model-files/model-files.ts';
import type { Mailer } from '../../notifications/mail/mailer.ts';
import type { NoticeBoard } from '../../notifications/notice-board.ts';
import type { OwnAppsService } from '../../own-apps/own-apps.ts';
import type { OwnMoves } from '../../robot/own-moves.ts';
import type { Robot } from '../../robot/robot.ts';
import type { SoundVolume } from '../../robot/sound-volume.ts';
import type { Clock } from '../../shared/clock.ts';
import type { DesktopHost } from '../../shared/desktop-host.ts';
import type { Authenticate } from '../security/authentication.ts';
import type { RequestSources } from '../security/request-sources.ts';

/** The parts of the daemon that the routes call. */
export interface RouteServices {
  readonly status: () => DaemonStatus;
  readonly apps: AppServices;
  readonly ownApps: OwnAppsService;
  readonly doctor: {
    readonly checker: Pick<InstallationChecker, 'last' | 'start'>;
    readonly problemReport: () => Promise<ProblemReport>;
  };
  readonly models: ModelServices;
  readonly robot: Robot;
  readonly commands: RobotCommands;
  readonly motions: MotionsById;
  readonly ownMoves: OwnMoves;
  readonly volume: SoundVolume;
  readonly jobs: JobQueue;
  readonly board: NoticeBoard;
  readonly mailer: Mailer;
  readonly desktop: Pick<DesktopHost, 'change' | 'update'>;
  readonly sessions: DashboardSessions;
  readonly issuedTokens: IssuedTokens;
  /** Restarts the daemon in a moment, where its program can. @throws Conflict */
  readonly restart: { request(options: { readonly interrupt: boolean }): void };
  readonly authenticate: Authenticate;
  readonly sources: Pick<RequestSources, 'hasRightsOfHere'>;
  readonly dataDir: string;
  readonly clock: Clock;
}

interface AppServices {
  readonly installed: InstalledApps;
  readonly samples: () => SampleApp[];
  readonly readmes: AppReadmes;
  readonly icons: AppIcons;
  readonly installer: AppInstaller;
  readonly versions: AppVersions;
  readonly updates: UpdateCheck;
  readonly startupApp: StartupApp;
  readonly downloadCaches: DownloadCaches;
  readonly needs: AppNeeds;
  readonly resets: Pick<AppResets, 'status' | 'reset' | 'undo'>;
  readonly variables: AppVariables;
  readonly runner: AppRunner;
  readonly history: RunHistory;
  readonly output: AppOutput;
  readonly slot: AppSlot;
  readonly store: AppStore;
  readonly hubSignIn: HubSignIn;
}

export interface ModelServices {
  /** Settles once the catalog is open. */
  opened(): Promise<void>;
  readonly catalog: ChosenCatalog;
  readonly deployer: Deployer;
  readonly management: EndpointManagement;
  readonly ownEndpoints: OwnEndpoints;
  readonly models: Models;
  readonly downloads: (author: string, model: string) => Promise<ModelDownloads>;
  readonly modelFiles: ModelFiles;
  readonly runtimes: Pick<Runtimes, 'list' | 'containers' | 'refresh'>;
  readonly cards: Pick<GraphicsCards, 'switch' | 'tryAgain'>;
  /** @param measure asks the drivers, which takes seconds; false: what is known */
  readonly cardReport: (measure: boolean) => Promise<CardsReport>;
  readonly llamaServerInstaller: Pick<LlamaServerInstaller, 'install' | 'installable'>;
  /** Whether a mail server is set up. */
  readonly canMail: () => boolean;
}
