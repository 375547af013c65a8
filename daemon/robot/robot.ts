import type { AntennaSide, Clamp, MotionOutcome, Motor, MotorName, RobotPose, RobotState } from '../contract/robot.ts';
import type { Publish } from '../shared/event-bus.ts';
import { Listeners } from '../shared/listeners.ts';
import type { Logger } from '../shared/logger.ts';
import { AntennaTouchDetector } from './antenna-touch-detector.ts';
import type { Loop } from './control-loop.ts';
import { MotionUnderWay, RobotUnavailable } from './errors.ts';
import { JointDrive } from './joint-drive.ts';
import { largestDifference } from './joints.ts';
import { defaultPosture, sleepPosture } from './kinematics/geometry.ts';
import type { BegunMotion, MotionWish } from './motion.ts';
import { motorNames } from './motors.ts';
import { defaultJoints, type PostureChange } from './posture.ts';
import type { Connection, RobotBackend, Simulator } from './robot-backend.ts';
import { conditionOf, type Phase, phaseWords } from './robot-condition.ts';
import { RobotNews } from './robot-news.ts';

/** What counts as standing at a posture, for each joint. */
const AT_POSTURE_RAD = 0.05;

/** The awake-or-asleep robot that the rest of the daemon talks to, driven at 50 Hz over a backend. */
export class Robot {
  readonly #backend: RobotBackend;
  readonly #drive: JointDrive;
  readonly #loop: Loop;
  readonly #log: Logger;
  readonly #news: RobotNews;
  readonly #touch = new AntennaTouchDetector();
  readonly #poses = new Listeners<RobotPose>();
  readonly #touches = new Listeners<AntennaSide>();
  readonly #wakeUps = new Listeners<void>();
  readonly #connections = new Listeners<Connection>();
  #phase: Phase = 'asleep';
  /** What the robot is to be, also once it is back after it was lost. */
  #wanted: 'awake' | 'asleep' = 'asleep';
  /** Grows with each order to wake, sleep or stop, so that an older one sees that it was overtaken. */
  #order = 0;
  #waking: Promise<MotionOutcome> | null = null;

  constructor(deps: { backend: RobotBackend; loop: Loop; publish: Publish; log: Logger }) {
    this.#backend = deps.backend;
    this.#drive = new JointDrive(deps.backend);
    this.#loop = deps.loop;
    this.#log = deps.log;
    this.#news = new RobotNews(deps.publish, this.#drive.pose);
  }

  get state(): RobotState {
    return {
      ...conditionOf(this.#backend, this.#phase),
      backend: this.#backend.kind,
      torque: this.#allHold,
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

  /** Called after every turn of the control loop. @returns a function that ends it */
  onPose(listener: (pose: RobotPose) => void): () => void {
    return this.#poses.add(listener);
  }

  /** Called when an antenna of the sleeping, idle robot is pushed. @returns a function that ends it */
  onTouch(listener: (antenna: AntennaSide) => void): () => void {
    return this.#touches.add(listener);
  }

  /** Called each time the robot has woken up. @returns a function that ends it */
  onWakeUp(listener: () => void): () => void {
    return this.#wakeUps.add(listener);
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
    if (this.#phase !== 'waking' || !this.#waking) this.#waking = this.#wake();
    return this.#waking;
  }

  /** Folds to the sleep position, then cuts torque. @throws RobotUnavailable */
  async sleep(): Promise<MotionOutcome> {
    this.#wanted = 'asleep';
    if (this.#phase === 'asleep' && !this.#someHold) return 'done';
    this.#requireConnection();
    const order = this.#newOrder('going-to-sleep');
    if (!this.#allHold) await this.#drive.switchTorque(true, motorNames); // folded, not dropped
    if (order !== this.#order) return 'replaced';
    const outcome = await this.#moveTo('going to sleep', sleepPosture, { minS: 0.3, maxS: 1.5 });
    if (outcome !== 'done') return outcome;
    await this.#drive.switchTorque(false, motorNames);
    if (order !== this.#order) return 'replaced';
    this.#setPhase('asleep');
    return 'done';
  }

  /** To the default position, awake and with torque, wherever it is and whatever it does. @throws RobotUnavailable */
  async returnToDefault(): Promise<MotionOutcome> {
    this.#requireConnection();
    const { state, atDefault } = this.state;
    if (state !== 'awake' || !this.#allHold) return this.wakeUp();
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
  goto(change: PostureChange, { durationS, method, ifBusy }: MotionWish): BegunMotion {
    this.#requireAwake();
    const { motion } = this.#drive;
    if (motion && ifBusy === 'refuse') throw new MotionUnderWay(motion.plan.name);
    const { posture, clamped } = this.#drive.reachable(change);
    const { ended } = this.#drive.begin('moving', posture, durationS, method, false);
    this.#tellState();
    return { clamped, ended };
  }

  /**
   * Goes to a posture as fast as the joints allow; replaces any motion under way. For streams of targets.
   * @returns what of it was taken otherwise than asked for
   * @throws TargetUnreachable, RobotUnavailable
   */
  setTarget(change: PostureChange): readonly Clamp[] {
    this.#requireAwake();
    const { posture, clamped } = this.#drive.reachable(change);
    this.#drive.follow(posture);
    return clamped;
  }

  /** Ends whatever motion is under way, where the robot is. It stays awake. */
  stop(): void {
    if (this.#phase === 'asleep') return;
    this.#wanted = 'awake';
    this.#newOrder('awake');
    this.#drive.hold();
    this.#tellState();
  }

  /**
   * Switches motors, all of them unless some are named. Switched on, they hold where they are, and the robot counts as
   * awake; switched off, any motion ends.
   * @throws RobotUnavailable
   */
  async setTorque(on: boolean, motors: readonly MotorName[] = motorNames): Promise<void> {
    this.#requireConnection();
    if (on && (this.#phase === 'waking' || this.#phase === 'going-to-sleep')) {
      throw new RobotUnavailable(`The robot is ${phaseWords(this.#phase)}. Wait for the end of that.`);
    }
    this.stop();
    const those = this.#backend.motors.filter(({ name, torque }) => motors.includes(name) && torque !== on);
    const names = those.map(({ name }) => name);
    if (names.length > 0) await this.#drive.switchTorque(on, names);
    if (!on || this.#phase !== 'asleep') return;
    this.#wanted = 'awake';
    this.#newOrder('awake');
  }

  /** Ends the control loop where the robot stands. */
  async close(): Promise<void> {
    await this.#loop.stop();
    await this.#drive.close(new RobotUnavailable('The daemon is stopping.'));
    await this.#backend.close();
  }

  async #wake(): Promise<MotionOutcome> {
    const isUp = this.state.state === 'awake' && this.#allHold;
    const order = this.#newOrder(isUp ? 'awake' : 'waking');
    if (!this.#allHold) {
      try {
        await this.#drive.switchTorque(true, motorNames);
      } catch (error) {
        if (order === this.#order) this.#setPhase(this.#someHold ? 'awake' : 'asleep');
        throw error;
      }
      if (order !== this.#order) return 'replaced';
    }
    const outcome = await this.#moveTo('waking up', defaultPosture, { minS: 0.3, maxS: 1.5 });
    if (outcome === 'done' && this.#phase === 'waking') {
      this.#setPhase('awake');
      this.#wakeUps.tell();
    }
    return outcome;
  }

  /** The robot is there, or not; or is there again. */
  #connectionChanged(connection: Connection): void {
    if (connection.state === 'ready') {
      this.#log.info('robot: connected');
      this.#drive.adopt();
      this.#newOrder(this.#someHold ? 'awake' : 'asleep');
      const intent = this.#wanted === 'awake' ? this.wakeUp() : this.sleep();
      intent.catch((error: Error) => this.#log.warn(`robot: ${error.message}`));
    } else {
      this.#log[connection.comingUp ? 'info' : 'warn'](`robot: ${connection.state}: ${connection.reason}`);
      this.#newOrder('asleep');
      this.#drive.lose(new RobotUnavailable(connection.reason));
    }
    this.#connections.tell(connection);
    this.#tellState();
  }

  async #turn(nowS: number, elapsedS: number): Promise<void> {
    await this.#drive.turn(nowS, elapsedS);
    const { pose, target } = this.#drive;
    this.#poses.tell(pose);
    this.#news.pose(pose);
    const { state, motion } = this.state;
    if (motion && state === 'error') this.#drive.lose(new RobotUnavailable(this.#whyNot()));
    const touched = this.#touch.look({
      measured: pose.joints.antennas,
      commanded: target.antennas,
      idle: state === 'asleep' && motion === null && !this.#someHold,
      nowS,
    });
    if (touched) this.#touches.tell(touched);
    this.#tellState();
  }

  #moveTo(...way: Parameters<JointDrive['beginCalm']>): Promise<MotionOutcome> {
    const { ended } = this.#drive.beginCalm(...way);
    this.#tellState();
    return ended;
  }

  #requireConnection(): void {
    const { connection } = this.#backend;
    if (connection.state !== 'ready') throw new RobotUnavailable(this.#whyNot());
  }

  #requireAwake(): void {
    if (this.state.state !== 'awake') throw new RobotUnavailable(this.#whyNot());
    if (!this.#someHold) throw new RobotUnavailable('The motors are switched off. Switch them on first.');
  }

  #whyNot(): string {
    const { state, reason, action } = this.state;
    if (reason !== null) return [reason, action].filter((text) => text !== null).join(' ');
    return `The robot is ${phaseWords(state)}. Wake it first.`;
  }

  get #allHold(): boolean {
    return this.#backend.motors.every(({ torque }) => torque);
  }

  get #someHold(): boolean {
    return this.#backend.motors.some(({ torque }) => torque);
  }

  #newOrder(phase: Phase): number {
    this.#order += 1;
    this.#setPhase(phase);
    return this.#order;
  }

  #setPhase(phase: Phase): void {
    if (phase !== this.#phase) this.#log.info(`robot: ${phaseWords(phase)}`);
    this.#phase = phase;
    this.#tellState();
  }

  #tellState(): void {
    this.#news.state(this.state);
  }
}
