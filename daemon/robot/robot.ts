import type {
  AntennaSide,
  Clamp,
  MotionOutcome,
  Motor,
  MotorName,
  RobotPose,
  RobotState,
} from '../contract/robot/robot.ts';
import { EventBus, type Publish } from '../shared/async/event-bus.ts';
import type { Logger } from '../shared/logger.ts';
import { AntennaTouchDetector } from './antenna-touch-detector.ts';
import type { Loop } from './control-loop.ts';
import { RobotUnavailable } from './errors.ts';
import { JointDrive } from './joint-drive.ts';
import { defaultPosture, sleepPosture } from './kinematics/geometry.ts';
import type { BegunMotion, MotionOptions } from './motion.ts';
import { largestDifference, motorNames } from './motors.ts';
import { defaultJoints, type PostureChange } from './posture.ts';
import type { Connection, RobotBackend, Simulator } from './robot-backend.ts';
import { conditionOf, type Phase, phaseWords, whyNot } from './robot-condition.ts';
import { RobotNews } from './robot-news.ts';
import { RobotPhases } from './robot-phases.ts';

/** What counts as standing at a posture, for each joint. */
const AT_POSTURE_RAD = 0.05;

/** The awake-or-asleep robot that the rest of the daemon talks to, driven at 50 Hz over a backend. */
export class Robot {
  readonly #backend: RobotBackend;
  readonly #drive: JointDrive;
  readonly #loop: Loop;
  readonly #log: Logger;
  readonly #news: RobotNews;
  readonly #phases: RobotPhases;
  readonly #touch = new AntennaTouchDetector();
  readonly #poses = new EventBus<RobotPose>();
  readonly #touches = new EventBus<AntennaSide>();
  readonly #wakeUps = new EventBus<void>();
  readonly #connections = new EventBus<Connection>();
  /** What the robot is to be, also once it is back after it was lost. */
  #wanted: 'awake' | 'asleep' = 'asleep';
  #waking: Promise<MotionOutcome> | null = null;
  /** Whether it has been told of waking up since it slept. */
  #hasWoken = false;
  #isFaulty = false;
  #isParking = false;

  /** Calls back after every turn of the control loop. @returns a function that ends it */
  readonly onPose = this.#poses.subscribe;
  /** Calls back when an antenna of the sleeping, idle robot is pushed. @returns a function that ends it */
  readonly onTouch = this.#touches.subscribe;
  /** Calls back when the robot has woken up, once until it sleeps again. @returns a function that ends it */
  readonly onWakeUp = this.#wakeUps.subscribe;

  constructor(deps: { backend: RobotBackend; loop: Loop; publish: Publish; log: Logger }) {
    this.#backend = deps.backend;
    this.#drive = new JointDrive(deps.backend);
    this.#loop = deps.loop;
    this.#log = deps.log;
    this.#news = new RobotNews(deps.publish, this.#drive.pose);
    this.#phases = new RobotPhases((phase) => this.#phaseChanged(phase));
  }

  get state(): RobotState {
    return {
      ...conditionOf(this.#backend, this.#phases.current),
      backend: this.#backend.kind,
      torque: this.#backend.motors.every(({ torque }) => torque),
      motion: this.#drive.motion?.plan.name ?? null,
      atDefault: largestDifference(this.pose.joints, defaultJoints) <= AT_POSTURE_RAD,
    };
  }

  get pose(): RobotPose {
    return this.#drive.pose;
  }

  get motors(): readonly Motor[] {
    return this.#backend.motors;
  }

  /** What only a simulated robot can do; null for a real one. */
  get simulator(): Simulator | null {
    return this.#backend.simulator;
  }

  /** Connects and starts the control loop. As soon as the robot is there it is woken, or else folded. */
  start({ wakeUp }: { wakeUp: boolean }): void {
    this.#wanted = wakeUp ? 'awake' : 'asleep';
    this.#loop.start((nowS, elapsedS) => this.#turn(nowS, elapsedS));
    this.#backend.open((connection) => this.#connectionChanged(connection));
  }

  /** Wakes the robot now, or as soon as it is there; one that is to be awake already stays as it is. */
  beAwake(): void {
    if (this.#wanted === 'awake') return;
    this.#wanted = 'awake';
    if (this.#backend.connection.state === 'ready') this.#carryOutWish();
  }

  /** Waits while the robot is on its way up. @throws RobotUnavailable when it is not there and not coming */
  async connected(): Promise<void> {
    for (;;) {
      const { connection } = this.#backend;
      if (connection.state === 'ready' || !connection.comingUp) break;
      await this.#connections.next();
    }
    this.#requireConnection();
  }

  /**
   * Torque on, then to the default position; motors in fault are started again. Asked for again, it joins the first call.
   * @throws RobotUnavailable
   */
  async wakeUp(): Promise<MotionOutcome> {
    this.#requireConnection();
    this.#wanted = 'awake';
    if (this.#phases.current !== 'waking' || !this.#waking) this.#waking = this.#wake();
    return this.#waking;
  }

  /** Folds to the sleep position, then cuts torque. @throws RobotUnavailable */
  async sleep(): Promise<MotionOutcome> {
    if (!this.#isFolded) this.#requireConnection();
    return this.#fold();
  }

  /** Folds, and takes no more orders: the daemon is about to end. @throws RobotUnavailable */
  async park(): Promise<MotionOutcome> {
    this.#isParking = true;
    return this.#fold();
  }

  /** To the default position, awake and with torque, wherever it is and whatever it does. @throws RobotUnavailable */
  async returnToDefault(): Promise<MotionOutcome> {
    this.#requireConnection();
    const { state, atDefault } = this.state;
    if (state !== 'awake' || !this.#drive.torque.allHold) return this.wakeUp();
    if (atDefault && this.#drive.isTold(defaultJoints)) {
      this.#drive.follow(defaultPosture); // a target that no turn of the loop has followed yet is forgotten
      return 'done';
    }
    return this.#moveTo('returning to default', defaultPosture, { minS: 0.1, maxS: 1 });
  }

  /**
   * Moves to a posture in a given time.
   * @throws TargetUnreachable, RobotUnavailable; MotionUnderWay where it is not to replace another one
   */
  goto(change: PostureChange, wish: MotionOptions): BegunMotion {
    this.#requireAwake();
    const begun = this.#drive.goto(change, wish);
    this.#tellState();
    return begun;
  }

  /**
   * Goes to a posture as fast as the joints allow; replaces any motion under way. For streams of targets.
   * @returns what of it was taken otherwise than asked for
   * @throws TargetUnreachable, RobotUnavailable
   */
  setTarget(change: PostureChange): readonly Clamp[] {
    this.#requireAwake();
    return this.#drive.setTarget(change);
  }

  /** Ends whatever motion is under way, where the robot is. It stays awake. */
  stop(): void {
    if (this.#isFolded || this.#isParking) return;
    this.#wanted = 'awake';
    this.#phases.begin('awake');
    this.#drive.hold();
    this.#tellState();
  }

  /**
   * Switches motors, all of them unless some are named. Switched on, they hold where they are, and the robot counts as
   * awake; switched off, any motion ends, and with the last of them the wish to be awake.
   * @throws RobotUnavailable
   */
  async setTorque(on: boolean, motors: readonly MotorName[] = motorNames): Promise<void> {
    this.#requireConnection();
    if (on && this.#phases.isUnderWay) {
      throw new RobotUnavailable(`The robot is ${phaseWords(this.#phases.current)}. Wait for the end of that.`);
    }
    this.stop();
    const switched = this.#drive.torque.turn(on, motors);
    this.#wanted = this.#drive.torque.someHold ? 'awake' : 'asleep';
    if (on) this.#phases.begin('awake');
    await switched;
  }

  /** Ends the control loop where the robot stands. */
  async close(): Promise<void> {
    await this.#loop.stop();
    await this.#drive.close(new RobotUnavailable('The daemon is stopping.'));
    await this.#backend.close();
  }

  async #wake(): Promise<MotionOutcome> {
    const { torque } = this.#drive;
    const isUp = this.state.state === 'awake' && torque.allHold;
    return this.#carryOut(isUp ? 'awake' : 'waking', async (isOvertaken) => {
      await torque.turn(true, motorNames);
      if (isOvertaken()) return 'replaced';
      const outcome = await this.#moveTo('waking up', defaultPosture, { minS: 0.3, maxS: 1.5 });
      if (outcome !== 'done' || isOvertaken()) return outcome;
      this.#phases.set('awake');
      if (!this.#hasWoken) this.#wakeUps.publish();
      this.#hasWoken = true;
      return 'done';
    });
  }

  async #fold(): Promise<MotionOutcome> {
    this.#wanted = 'asleep';
    if (this.#isFolded) return 'done';
    const { torque } = this.#drive;
    return this.#carryOut('going-to-sleep', async (isOvertaken) => {
      await torque.turn(true, motorNames); // folded, not dropped
      if (isOvertaken()) return 'replaced';
      const outcome = await this.#moveTo('going to sleep', sleepPosture, { minS: 0.3, maxS: 1.5 });
      if (outcome !== 'done' || isOvertaken()) return outcome;
      await torque.turn(false, motorNames);
      if (isOvertaken()) return 'replaced';
      this.#phases.set('asleep');
      return 'done';
    });
  }

  /** Whether it lies there already, limp. */
  get #isFolded(): boolean {
    return this.#phases.current === 'asleep' && !this.#drive.torque.someHold;
  }

  /** The robot is there, or not; or is there again. */
  #connectionChanged(connection: Connection): void {
    if (connection.state === 'ready') {
      this.#log.info('robot: connected');
      this.#drive.adopt();
      this.#phases.begin(this.#drive.torque.someHold ? 'awake' : 'asleep');
      this.#carryOutWish();
    } else {
      this.#log[connection.comingUp ? 'info' : 'warn'](`robot: ${connection.state}: ${connection.reason}`);
      this.#phases.begin('asleep');
      this.#drive.lose(new RobotUnavailable(connection.reason));
    }
    this.#connections.publish(connection);
    this.#tellState();
  }

  #carryOutWish(): void {
    const done = this.#wanted === 'awake' ? this.wakeUp() : this.sleep();
    done.catch((error: Error) => this.#log.warn(`robot: ${error.message}`));
  }

  async #turn(nowS: number, elapsedS: number): Promise<void> {
    await this.#drive.turn(nowS, elapsedS, { isFolded: this.#isFolded });
    const { pose, target } = this.#drive;
    this.#poses.publish(pose);
    this.#news.pose(pose);
    const robot = this.state;
    const { state, motion, connected } = robot;
    if (connected) this.#noticeFault(state === 'error');
    const touched = this.#touch.look({
      measured: pose.joints.antennas,
      commanded: target.antennas,
      idle: state === 'asleep' && motion === null && this.#isFolded,
      nowS,
    });
    if (touched) this.#touches.publish(touched);
    this.#news.state(robot);
  }

  /** A motor lets go: whatever moves the others ends. */
  #noticeFault(isFaulty: boolean): void {
    if (isFaulty && !this.#isFaulty) {
      this.#drive.lose(new RobotUnavailable(whyNot(this.state)));
      this.#drive.hold();
    }
    this.#isFaulty = isFaulty;
  }

  #moveTo(...way: Parameters<JointDrive['beginCalm']>): Promise<MotionOutcome> {
    const { ended } = this.#drive.beginCalm(...way);
    this.#tellState();
    return ended;
  }

  #requireConnection(): void {
    if (this.#isParking) throw new RobotUnavailable('The daemon is stopping.');
    if (this.#backend.connection.state !== 'ready') throw new RobotUnavailable(whyNot(this.state));
  }

  #requireAwake(): void {
    this.#requireConnection();
    if (this.state.state !== 'awake') throw new RobotUnavailable(whyNot(this.state));
    if (!this.#drive.torque.someHold) throw new RobotUnavailable('The motors are switched off. Switch them on first.');
  }

  #carryOut(phase: Phase, work: (isOvertaken: () => boolean) => Promise<MotionOutcome>): Promise<MotionOutcome> {
    return this.#phases.carryOut(phase, work, () => (this.#drive.torque.someHold ? 'awake' : 'asleep'));
  }

  #phaseChanged(phase: Phase): void {
    this.#log.info(`robot: ${phaseWords(phase)}`);
    if (phase === 'asleep') this.#hasWoken = false;
    this.#tellState();
  }

  #tellState(): void {
    this.#news.state(this.state);
  }
}
