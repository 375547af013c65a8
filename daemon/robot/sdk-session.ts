import type { TargetPart } from '../contract/robot/robot.ts';
import { SDK_PROTOCOL, type SdkMoveSamples, type SdkReply, SdkRequest, type SdkState } from '../contract/robot/sdk.ts';
import { DomainError } from '../shared/domain-error.ts';
import { MotionRefused } from './errors.ts';
import { HeadOutOfReach } from './motions/errors.ts';
import { type CommandEnd, droppedPart, type Motion, type StartedMotion } from './motions/motion.ts';
import type { TargetResult } from './motions/motions.ts';
import { MoveUpload } from './motions/move-samples.ts';
import type { RecordedMove } from './motions/recorded-move.ts';
import type { Robot } from './robot.ts';
import { codeOf, idOf, readable } from './sdk-refusals.ts';
import type { SoundVolume } from './sound-volume.ts';

/** A program's right to move the robot, from its hello until it leaves. */
export interface MotionPass {
  /** Requests a motion of that duration. @throws MotionRefused when another program holds the slot */
  requireMotion(durationS: number): void;
  /** Called when the program is asked to stop. */
  onStop(listener: () => void): void;
  /** The program stopped answering, or answers again. */
  silent(isSilent: boolean): void;
  leave(): void;
}

/**
 * Decides whether a program may move the robot. @throws UnknownRun when the run token is not that of the running app
 */
export type AdmitProgram = (program: ProgramIdentity & { remote: boolean }) => MotionPass;

interface ProgramIdentity {
  readonly runToken: string | null;
  readonly clientName: string;
  /** The same for all connections of a program; undefined: there is no other one. */
  readonly programId?: string | undefined;
}

export interface SdkSessionDeps {
  readonly robot: Robot;
  readonly admit: (program: ProgramIdentity) => MotionPass;
  readonly volume: Pick<SoundVolume, 'percent' | 'onChange'>;
  readonly daemonVersion: string;
  readonly send: (message: SdkReply) => void;
  /** Whether earlier messages are still unsent. State is then skipped, since the next one is newer. */
  readonly congested: () => boolean;
  /** Ends the connection after a refusal. */
  readonly close: () => void;
}

type Request<Type extends SdkRequest['type']> = Extract<SdkRequest, { type: Type }>;
type Command = Exclude<SdkRequest, { type: 'hello' | 'set_target' | 'move_samples' }>;

const MOTIONS: ReadonlySet<Command['type']> = new Set(['goto_target', 'play_move', 'wake_up', 'goto_sleep']);

/** Longest duration of waking up or going to sleep, for which a program holds the slot. */
const OWN_MOTION_S = 3;

/** The session of one program: it says hello, then sends commands and receives the state at 50 Hz. */
export class SdkSession {
  readonly #deps: SdkSessionDeps;
  #pass: MotionPass | null = null;
  #endUpdates: () => void = () => {};
  #sentClamps = '[]';
  /** The motions for which a dropped part was reported, the latest for each part. */
  readonly #reported: Partial<Record<TargetPart, Motion>> = {};
  /** The motions of this program that have not ended, with the time of their end on the robot's clock. */
  readonly #motions = new Map<StartedMotion, number>();
  /** Its commands that move the robot and have not ended. */
  readonly #moving = new Set<Command>();
  readonly #upload = new MoveUpload();
  /** Whether it was asked to stop. From then on it neither moves the robot nor is heard, however long it takes to end. */
  #isStopping = false;
  /** Whether it switched gravity compensation on. */
  #guides = false;
  /** Whether it switched automatic body yaw off. */
  #holdsBody = false;

  constructor(deps: SdkSessionDeps) {
    this.#deps = deps;
  }

  /** Handles one text frame. An invalid one is answered with an error; rejects only on a bug. */
  async receive(text: string): Promise<void> {
    let message: unknown;
    let request: SdkRequest;
    try {
      message = JSON.parse(text);
      request = SdkRequest.parse(message);
    } catch (error) {
      const reason = readable(error);
      this.#upload.refuse(message, reason);
      this.#refuse('bad-message', reason, idOf(message));
      return;
    }
    if (request.type === 'hello') this.#hello(request);
    else if (!this.#pass) this.#refuse('bad-message', 'Send hello first.', idOf(request));
    else if (request.type === 'set_target') this.#setTarget(request, this.#pass);
    else if (request.type === 'move_samples') this.#appendSamples(request);
    else await this.#run(request, this.#pass);
  }

  /** The program has not answered for 2 s, or answers again. */
  silent(isSilent: boolean): void {
    this.#pass?.silent(isSilent);
    if (isSilent) this.#yieldMotions();
    else if (this.#pass) this.#claimMotions(this.#pass);
  }

  closed(): void {
    this.#endUpdates();
    this.#pass?.leave();
    this.#pass = null;
    this.#yieldMotions();
    if (this.#guides) this.#setGuided(false);
    if (this.#holdsBody) this.#setBodyGivesWay(true);
  }

  /** Motions whose end nobody awaits go on, but must not keep other programs from moving the robot. */
  #yieldMotions(): void {
    for (const motion of this.#motions.keys()) motion.yield();
  }

  /** A program that was busy for a moment has its motions back, unless another program has the slot by now. */
  #claimMotions(pass: MotionPass): void {
    try {
      for (const [motion, endS] of this.#motions) {
        pass.requireMotion(Math.max(0, endS - this.#deps.robot.pose.timeS));
        motion.claim();
      }
    } catch (error) {
      if (!(error instanceof MotionRefused)) throw error;
    }
  }

  #hello(hello: Request<'hello'>): void {
    if (this.#pass) {
      this.#refuse('bad-message', 'Hello was already sent.');
    } else if (hello.protocol !== SDK_PROTOCOL) {
      const versions = `This daemon speaks version ${SDK_PROTOCOL} of the SDK protocol, the program version ${hello.protocol}.`;
      this.#refuse('bad-protocol', `${versions} Install the app again.`);
      this.#deps.close();
    } else {
      this.#admit(hello);
    }
  }

  #admit(hello: Request<'hello'>): void {
    const { robot, volume, send, congested, daemonVersion } = this.#deps;
    try {
      this.#pass = this.#deps.admit(hello);
    } catch (error) {
      this.#refuseWith(error, null);
      this.#deps.close();
      return;
    }
    send({
      type: 'welcome',
      protocol: SDK_PROTOCOL,
      daemonVersion,
      backend: robot.state.backend,
      state: this.#state(),
    });
    send({ type: 'volume', volume: volume.percent });
    const endPoses = robot.onPose(() => {
      if (!congested()) send(this.#state());
    });
    const endVolumes = volume.onChange((percent) => {
      if (!this.#isStopping) send({ type: 'volume', volume: percent });
    });
    this.#endUpdates = () => {
      endPoses();
      endVolumes();
    };
    this.#pass.onStop(() => this.#askToStop());
  }

  #askToStop(): void {
    const { robot, send } = this.#deps;
    this.#isStopping = true;
    if (this.#moving.size > 0) robot.stop();
    send({ type: 'volume', volume: 0 }); // the SDK mixes at this volume, whatever the program plays
    send({ type: 'stop' });
  }

  #state(): SdkState {
    const { pose, state } = this.#deps.robot;
    return { type: 'state', ...pose, robot: state.state, torque: state.torque };
  }

  #setTarget(target: Request<'set_target'>, pass: MotionPass): void {
    if (this.#isStopping) return;
    try {
      pass.requireMotion(0);
      this.#report(this.#deps.robot.setTarget(target));
    } catch (error) {
      // The head waits until a target is within its reach again, and the body with it; the antennas go on.
      if (error instanceof HeadOutOfReach && target.antennas)
        this.#setTarget({ type: 'set_target', antennas: target.antennas }, pass);
      this.#refuseWith(error, null);
    }
  }

  #appendSamples(samples: SdkMoveSamples): void {
    try {
      this.#upload.append(samples);
    } catch (error) {
      this.#refuseWith(error, null);
    }
  }

  /** Reports the changes to a target, unless they are reported already. */
  #report({ clamped, dropped }: TargetResult): void {
    const text = JSON.stringify(clamped.map(({ part }) => part));
    const unreported = dropped.filter(({ part, owner }) => this.#reported[part] !== owner);
    if (text === this.#sentClamps && unreported.length === 0) return;
    this.#sentClamps = text;
    for (const { part, owner } of unreported) this.#reported[part] = owner;
    this.#deps.send({
      type: 'clamped',
      clamped: [...clamped],
      ...(unreported.length > 0 && { dropped: unreported.map(droppedPart) }),
    });
  }

  async #run(command: Command, pass: MotionPass): Promise<void> {
    if (MOTIONS.has(command.type)) this.#moving.add(command);
    try {
      const { outcome, clamped = [], lost = [] } = await this.#execute(command, pass);
      this.#deps.send(this.#state()); // so that the program sees the new state before the reply
      const end = { outcome, clamped: [...clamped], ...(lost.length > 0 && { lost: [...lost] }) };
      this.#deps.send({ type: 'done', id: command.id, ...end });
    } catch (error) {
      this.#refuseWith(error, command.id);
    } finally {
      this.#moving.delete(command);
    }
  }

  async #execute(command: Command, pass: MotionPass): Promise<CommandEnd> {
    const { robot } = this.#deps;
    if (command.type === 'stop_motion') {
      robot.stop(); // allowed without the slot
      return { outcome: 'done' };
    }
    const move = command.type === 'play_move' ? this.#upload.take(command.move) : null; // also if it is refused below
    if (this.#isStopping && MOTIONS.has(command.type)) return { outcome: 'stopped' };
    pass.requireMotion(0);
    if (command.type === 'goto_target') return this.#goto(command, pass);
    if (command.type === 'play_move' && move) return this.#play(move, command, pass);
    if (command.type === 'set_gravity_compensation') this.#setGuided(command.enabled);
    if (command.type === 'set_automatic_body_yaw') this.#setBodyGivesWay(command.enabled);
    if (command.type === 'set_torque') await robot.setTorque(command.on, command.motors ?? undefined);
    if (command.type !== 'wake_up' && command.type !== 'goto_sleep') return { outcome: 'done' };
    pass.requireMotion(OWN_MOTION_S);
    return { outcome: await (command.type === 'wake_up' ? robot.wakeUp() : robot.sleep()) };
  }

  #setGuided(guided: boolean): void {
    this.#deps.robot.setGuided(guided);
    this.#guides = guided;
  }

  #setBodyGivesWay(gives: boolean): void {
    this.#deps.robot.setBodyGivesWay(gives);
    this.#holdsBody = !gives;
  }

  #goto(command: Request<'goto_target'>, pass: MotionPass): Promise<CommandEnd> {
    const bodyYawIsDefault = command.bodyYaw === 0 && command.bodyYawGiven !== true;
    const motion = this.#deps.robot.goto(command, { ...command, bodyYawIsDefault });
    return this.#ended(motion, command.durationS, pass);
  }

  #play(move: RecordedMove, command: Request<'play_move'>, pass: MotionPass): Promise<CommandEnd> {
    const motion = this.#deps.robot.play(move, { ...command, name: null });
    return this.#ended(motion, command.initialGotoS + move.durationS, pass);
  }

  /** Holds the slot for the duration of a motion, which is under way: one that was refused does not hold it for long. */
  async #ended(motion: StartedMotion, durationS: number, pass: MotionPass): Promise<CommandEnd> {
    pass.requireMotion(durationS);
    this.#motions.set(motion, this.#deps.robot.pose.timeS + durationS);
    try {
      return await motion.ended;
    } finally {
      this.#motions.delete(motion);
    }
  }

  #refuseWith(error: unknown, id: string | null): void {
    if (!(error instanceof DomainError)) throw error;
    this.#refuse(codeOf(error), error.message, id);
  }

  #refuse(code: Extract<SdkReply, { type: 'error' }>['code'], message: string, id: string | null = null): void {
    this.#deps.send({ type: 'error', code, message, id });
  }
}
