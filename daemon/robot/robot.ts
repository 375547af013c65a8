import type { AntennaSide, MotionOutcome, Motor, MotorName, RobotPose, RobotState } from '../contract/robot/robot.ts';
import { EventBus, type Publish } from '../shared/async/event-bus.ts';
import type { Logger } from '../shared/logger.ts';
import { AntennaTouchDetector } from './antenna-touch-detector.ts';
import type { Loop } from './control-loop.ts';
import { RobotUnavailable } from './errors.ts';
import { JointDrive } from './joint-drive.ts';
import { defaultPosture } from './kinematics/geometry.ts';
import type { StartedMotion } from './motions/motion.ts';
import type { GotoOptions, PlayOptions, TargetResult } from './motions/motions.ts';
import { defaultJoints, type PostureChange } from './motions/posture.ts';
import type { RecordedMove } from './motions/recorded-move.ts';
import { motorNames } from './motors.ts';
import type { Connection, RobotBackend, Simulator } from './robot-backend.ts';
import { type Phase, phaseText, RobotReadiness, stateOf, unavailableReason } from './robot-condition.ts';
import { RobotPublisher } from './robot-publisher.ts';
import { RobotPhases, WakeAndFold } from './wake-and-fold.ts';
import { WantedState } from './wanted-state.ts';

/** The robot: wakes, sleeps and moves, driven at 50 Hz over a backend. */
export class Robot {
  readonly #backend: RobotBackend;
  readonly #drive: JointDrive;
  readonly #loop: Loop;
  readonly #log: Logger;
  readonly #publisher: RobotPublisher;
  readonly #phases: RobotPhases;
  readonly #wakeAndFold: WakeAndFold;
  readonly #wanted: WantedState;
  readonly #readiness: RobotReadiness;
  readonly #touch = new AntennaTouchDetector();
  readonly #poses = new EventBus<RobotPose>();
  readonly #touches = new EventBus<AntennaSide>();
  readonly #wakeUps = new EventBus<void>();
  #isFaulty = false;

  /** Calls back after every tick of the control loop. @returns a function that unsubscribes */
  readonly onPose = this.#poses.subscribe;
  /** Calls back when an antenna of the sleeping, idle robot is pushed. @returns a function that unsubscribes */
  readonly onTouch = this.#touches.subscribe;
  /** Calls back when the robot has woken up, once until it sleeps again. @returns a function that unsubscribes */
  readonly onWakeUp = this.#wakeUps.subscribe;

  constructor(deps: { backend: RobotBackend; loop: Loop; publish: Publish; log: Logger }) {
    this.#backend = deps.backend;
    this.#drive = new JointDrive(deps.backend);
    this.#loop = deps.loop;
    this.#log = deps.log;
    this.#publisher = new RobotPublisher(deps.publish, this.#drive.pose);
    this.#phases = new RobotPhases((phase) => this.#phaseChanged(phase));
    this.#readiness = new RobotReadiness({ backend: deps.backend, drive: this.#drive, state: () => this.state });
    this.#wakeAndFold = new WakeAndFold({
      drive: this.#drive,
      phases: this.#phases,
      moveTo: (...way) => this.#moveTo(...way),
      onWoken: () => this.#wakeUps.publish(),
    });
    this.#wanted = new WantedState({
      wake: () => this.#wake(),
      fold: () => this.sleep(),
      isUsable: () => this.state.connected && this.state.state !== 'error',
      log: deps.log,
    });
  }

  get state(): RobotState {
    return stateOf(this.#backend, this.#drive, this.#phases.current, this.#wanted.notWoken);
  }

  get pose(): RobotPose {
    return this.#drive.pose;
  }

  get motors(): readonly Motor[] {
    return this.#backend.motors;
  }

  /** The controls of a simulated robot; null for a real one. */
  get simulator(): Simulator | null {
    return this.#backend.simulator;
  }

  /** Connects and starts the control loop. Wakes or folds the robot as soon as it is connected. */
  start({ wakeUp }: { wakeUp: boolean }): void {
    this.#wanted.set(wakeUp ? 'awake' : 'asleep');
    this.#loop.start((nowS, elapsedS) => this.#tick(nowS, elapsedS));
    this.#backend.open((connection) => this.#connectionChanged(connection));
  }

  /** Wakes the robot now, or as soon as it is connected. Does nothing if it is already to be awake. */
  ensureAwake(): void {
    if (this.#wanted.isAwake || this.#readiness.isParking) return;
    this.#wanted.set('awake');
    if (this.#backend.connection.state === 'ready') this.#wanted.reach();
  }

  /** Waits while the robot is connecting. @throws RobotUnavailable when it is not connected and not connecting */
  connected(): Promise<void> {
    return this.#readiness.connected();
  }

  /**
   * Switches torque on and moves to the default position; reboots motors in fault. A second call joins the first.
   * @throws RobotUnavailable
   */
  async wakeUp(): Promise<MotionOutcome> {
    this.#readiness.requireConnection();
    this.#wanted.set('awake');
    return this.#wake();
  }

  /** Folds to the sleep position, then switches torque off. @throws RobotUnavailable */
  async sleep(): Promise<MotionOutcome> {
    if (!this.#wakeAndFold.isFolded) this.#readiness.requireConnection();
    this.#wanted.set('asleep');
    return this.#wakeAndFold.fold();
  }

  /** Folds, and refuses further commands, for the shutdown of the daemon. @throws RobotUnavailable */
  async park(): Promise<MotionOutcome> {
    this.#readiness.park();
    this.#wanted.set('asleep');
    return this.#wakeAndFold.fold();
  }

  /** Moves to the default position, awake and with torque, from any state. @throws RobotUnavailable */
  async returnToDefault(): Promise<MotionOutcome> {
    this.#readiness.requireConnection();
    if (this.state.state !== 'awake' || !this.#drive.torque.allHold) return this.wakeUp();
    if (this.#drive.torque.isPending) {
      await this.#drive.torque.set(true, motorNames); // a switch still to come would stop the motion
      this.#readiness.requireConnection();
    }
    if (this.state.atDefault && this.#drive.isCommanded(defaultJoints)) {
      this.#drive.follow(defaultPosture); // drops a target that no tick has followed yet
      return 'done';
    }
    return this.#moveTo('returning to default', defaultPosture, { minS: 0.1, maxS: 1 });
  }

  /**
   * Moves the named parts in a given time. Until it ends, they are dropped from streamed targets.
   * @throws TargetUnreachable, RobotUnavailable; MotionUnderWay when it must not take a part that a motion owns
   */
  goto(change: PostureChange, options: GotoOptions): StartedMotion {
    return this.#begin(() => this.#drive.goto(change, options));
  }

  /**
   * Plays a recorded move. Until it ends, its parts are dropped from streamed targets.
   * @throws RobotUnavailable; MotionUnderWay when it must not take a part that a motion owns
   */
  play(move: RecordedMove, options: PlayOptions): StartedMotion {
    return this.#begin(() => this.#drive.play(move, options));
  }

  /**
   * Moves the named parts as fast as the joints allow, except those that a motion owns. For streams of targets.
   * @throws TargetUnreachable, RobotUnavailable
   */
  setTarget(change: PostureChange): TargetResult {
    this.#readiness.requireUnguided();
    const result = this.#drive.setTarget(change);
    this.#wanted.endTries();
    return result;
  }

  /** Lets the joints follow a hand and stay where it leaves them, until the next motion; or holds them. @throws RobotUnavailable */
  setGuided(guided: boolean): void {
    if (guided) {
      this.#readiness.requireAllTorque();
      this.#wanted.endTries();
      this.#drive.guide();
    } else if (this.#drive.isGuided) {
      this.#drive.hold();
    }
    this.#publishState();
  }

  /** Whether the robot is moved by hand. */
  get isGuided(): boolean {
    return this.#drive.isGuided;
  }

  /** Whether the body turns along with a head that would turn more than 65° against it; else such a head is out of reach. */
  setBodyGivesWay(gives: boolean): void {
    this.#drive.motions.target.bodyGivesWay = gives;
  }

  /** Lets the running gotos go on, but yield each part to the next command for it. For an app that starts. */
  yieldGotos(): void {
    this.#drive.motions.yieldGotos();
  }

  /** Stops the running motions at the current position, and a wake-up that is tried again. An awake robot stays awake. */
  stop(): void {
    this.#wanted.endTries();
    if (this.#wakeAndFold.isFolded || this.#readiness.isParking) return;
    this.#wanted.set('awake');
    this.#phases.begin('awake');
    this.#drive.hold();
    this.#publishState();
  }

  /**
   * Switches the torque of the given motors, by default of all. Switched on, they hold their position and the robot is
   * awake. Switched off, the running motions end; with the last motor off the robot is no longer to be awake.
   * @throws RobotUnavailable
   */
  async setTorque(on: boolean, motors: readonly MotorName[] = motorNames): Promise<void> {
    this.#readiness.requireConnection();
    if (on) this.#readiness.requireSettled(this.#phases);
    this.stop();
    const switched = this.#drive.torque.set(on, motors);
    this.#wanted.set(this.#drive.torque.someHold ? 'awake' : 'asleep');
    if (on) this.#phases.begin('awake');
    await switched;
  }

  /** Stops the control loop, without moving the robot. */
  async close(): Promise<void> {
    await this.#loop.stop();
    await this.#drive.close(new RobotUnavailable('The daemon is stopping.'));
    await this.#backend.close();
  }

  #connectionChanged(connection: Connection): void {
    if (connection.state === 'ready') {
      this.#log.info('robot: connected');
      this.#drive.adopt();
      this.#phases.begin(this.#drive.torque.someHold ? 'awake' : 'asleep');
      this.#wanted.reach();
    } else {
      this.#log[connection.comingUp ? 'info' : 'warn'](`robot: ${connection.state}: ${connection.reason}`);
      this.#phases.begin('asleep');
      this.#drive.lose(new RobotUnavailable(connection.reason));
    }
    this.#readiness.connectionChanged(connection);
    this.#publishState();
  }

  #wake(): Promise<MotionOutcome> {
    return this.#wakeAndFold.wake(this.state.state === 'awake' && this.#drive.torque.allHold);
  }

  async #tick(nowS: number, elapsedS: number): Promise<void> {
    await this.#drive.tick(nowS, elapsedS, { isFolded: this.#wakeAndFold.isFolded });
    this.#wanted.tick(nowS);
    const { pose, motions } = this.#drive;
    const commanded = motions.target.posture.antennas;
    this.#poses.publish(pose);
    this.#publisher.pose(pose);
    const robot = this.state;
    const { state, motion, connected } = robot;
    if (connected) this.#checkFaults(state === 'error');
    const idle = state === 'asleep' && motion === null && this.#wakeAndFold.isFolded;
    const touched = this.#touch.detect({ measured: pose.joints.antennas, commanded, idle, nowS });
    if (touched) this.#touches.publish(touched);
    this.#publisher.state(robot);
  }

  /** Stops the other motors when a motor has shut down. */
  #checkFaults(isFaulty: boolean): void {
    if (isFaulty && !this.#isFaulty) {
      this.#drive.lose(new RobotUnavailable(unavailableReason(this.state)));
      this.#drive.hold();
    }
    this.#isFaulty = isFaulty;
  }

  #begin(start: () => StartedMotion): StartedMotion {
    this.#readiness.requireAwake();
    const motion = start();
    this.#wanted.endTries();
    this.#publishState();
    return motion;
  }

  async #moveTo(...way: Parameters<JointDrive['beginCalm']>): Promise<MotionOutcome> {
    const { ended } = this.#drive.beginCalm(...way);
    this.#publishState();
    return (await ended).outcome;
  }

  #phaseChanged(phase: Phase): void {
    this.#log.info(`robot: ${phaseText(phase)}`);
    if (phase === 'asleep') this.#wakeAndFold.slept();
    this.#publishState();
  }

  #publishState(): void {
    this.#publisher.state(this.state);
  }
}
