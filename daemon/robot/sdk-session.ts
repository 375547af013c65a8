import type { Clamp, MotionOutcome } from '../contract/robot/robot.ts';
import { SDK_PROTOCOL, type SdkReply, SdkRequest, type SdkState } from '../contract/robot/sdk.ts';
import { DomainError } from '../shared/domain-error.ts';
import { MotionRefused, MotionUnderWay, RobotUnavailable, TargetUnreachable, UnknownRun } from './errors.ts';
import type { Robot } from './robot.ts';

/** Who a program is to the robot, from its hello until it leaves. */
export interface MotionPass {
  /** Asks for a motion of that length. @throws MotionRefused when something else has the robot */
  requireMotion(durationS: number): void;
  /** Called when the program is asked to stop. */
  onStop(listener: () => void): void;
  /** The program answers nothing, or answers again. */
  silent(isSilent: boolean): void;
  leave(): void;
}

/** Decides who may move the robot. @throws UnknownRun for a run token that is not the running app's */
export type AdmitProgram = (program: ProgramIdentity & { remote: boolean }) => MotionPass;

export interface ProgramIdentity {
  readonly runToken: string | null;
  readonly clientName: string;
}

export interface SdkSessionDeps {
  readonly robot: Robot;
  readonly admit: (program: ProgramIdentity) => MotionPass;
  readonly daemonVersion: string;
  readonly send: (message: SdkReply) => void;
  /** Whether what was sent before has not left yet: state is then skipped, the next one is newer anyway. */
  readonly congested: () => boolean;
  /** Ends the connection after a refusal. */
  readonly close: () => void;
}

type Request<Type extends SdkRequest['type']> = Extract<SdkRequest, { type: Type }>;
type Order = Exclude<SdkRequest, { type: 'hello' | 'set_target' }>;
/** How an order ends. */
interface OrderEnd {
  readonly outcome: MotionOutcome;
  readonly clamped: readonly Clamp[];
}

/** How long a motion of the robot's own takes at most, for the slot that a program holds meanwhile. */
const OWN_MOTION_S = 3;

/** One program's conversation with the robot: it says hello, then commands motion and hears the state at 50 Hz. */
export class SdkSession {
  readonly #deps: SdkSessionDeps;
  #pass: MotionPass | null = null;
  #endState: () => void = () => {};
  #toldClamps = '[]';

  constructor(deps: SdkSessionDeps) {
    this.#deps = deps;
  }

  /** Takes one text frame. A bad one is answered and survived; rejects only for what is a bug. */
  async receive(text: string): Promise<void> {
    let request: SdkRequest;
    try {
      request = SdkRequest.parse(JSON.parse(text));
    } catch (error) {
      this.#refuse('bad-message', readable(error));
      return;
    }
    if (request.type === 'hello') this.#hello(request);
    else if (!this.#pass) this.#refuse('bad-message', 'Say hello first.');
    else if (request.type === 'set_target') this.#setTarget(request, this.#pass);
    else await this.#carryOut(request, this.#pass);
  }

  /** The program answers nothing for 2 s, or answers again. */
  silent(isSilent: boolean): void {
    this.#pass?.silent(isSilent);
  }

  /** The connection is gone. */
  closed(): void {
    this.#endState();
    this.#pass?.leave();
    this.#pass = null;
  }

  #hello(hello: Request<'hello'>): void {
    if (this.#pass) {
      this.#refuse('bad-message', 'Hello was said already.');
    } else if (hello.protocol !== SDK_PROTOCOL) {
      const versions = `This daemon speaks version ${SDK_PROTOCOL} of the SDK protocol, the program version ${hello.protocol}.`;
      this.#refuse('bad-protocol', `${versions} Install the app again.`);
      this.#deps.close();
    } else {
      this.#admit(hello);
    }
  }

  #admit(hello: Request<'hello'>): void {
    const { robot, send, congested, daemonVersion } = this.#deps;
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
    this.#pass.onStop(() => send({ type: 'stop' }));
    this.#endState = robot.onPose(() => {
      if (!congested()) send(this.#state());
    });
  }

  #state(): SdkState {
    const { pose, state } = this.#deps.robot;
    return { type: 'state', ...pose, robot: state.state, torque: state.torque };
  }

  #setTarget(target: Request<'set_target'>, pass: MotionPass): void {
    try {
      pass.requireMotion(0);
      const clamped = [...this.#deps.robot.setTarget(target)];
      const text = JSON.stringify(clamped.map(({ part }) => part));
      if (text === this.#toldClamps) return;
      this.#toldClamps = text;
      this.#deps.send({ type: 'clamped', clamped });
    } catch (error) {
      this.#refuseWith(error, null);
    }
  }

  async #carryOut(order: Order, pass: MotionPass): Promise<void> {
    try {
      const { outcome, clamped } = await this.#end(order, pass);
      this.#deps.send(this.#state()); // who looks at the robot now sees what was done
      this.#deps.send({ type: 'done', id: order.id, outcome, clamped: [...clamped] });
    } catch (error) {
      this.#refuseWith(error, order.id);
    }
  }

  async #end(order: Order, pass: MotionPass): Promise<OrderEnd> {
    const { robot } = this.#deps;
    if (order.type === 'stop_motion') {
      robot.stop(); // whoever has it
      return { outcome: 'done', clamped: [] };
    }
    pass.requireMotion(0);
    if (order.type === 'goto_target') {
      const { clamped, ended } = robot.goto(order, order); // throws what it cannot reach
      pass.requireMotion(order.durationS);
      return { outcome: await ended, clamped };
    }
    if (order.type === 'set_torque') await robot.setTorque(order.on, order.motors ?? undefined);
    if (order.type !== 'wake_up' && order.type !== 'goto_sleep') return { outcome: 'done', clamped: [] };
    pass.requireMotion(OWN_MOTION_S);
    return { outcome: await (order.type === 'wake_up' ? robot.wakeUp() : robot.sleep()), clamped: [] };
  }

  #refuseWith(error: unknown, id: string | null): void {
    if (!(error instanceof DomainError)) throw error;
    this.#refuse(codeOf(error), error.message, id);
  }

  #refuse(code: Extract<SdkReply, { type: 'error' }>['code'], message: string, id: string | null = null): void {
    this.#deps.send({ type: 'error', code, message, id });
  }
}

function codeOf(error: DomainError): Extract<SdkReply, { type: 'error' }>['code'] {
  if (error instanceof TargetUnreachable) return 'unreachable';
  if (error instanceof MotionRefused) return 'slot-taken';
  if (error instanceof MotionUnderWay) return 'busy';
  if (error instanceof UnknownRun) return 'unknown-run';
  if (error instanceof RobotUnavailable) return 'robot-unavailable';
  throw error;
}

function readable(error: unknown): string {
  if (error instanceof SyntaxError) return 'Not JSON.';
  const issue = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues?.[0];
  return issue ? `${issue.path.join('.') || 'message'}: ${issue.message}` : 'Not a message of this protocol.';
}
