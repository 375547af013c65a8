import { SdkReply } from '../contract/robot/sdk.ts';
import { MotionRefused } from '../robot/errors.ts';
import { Robot } from '../robot/robot.ts';
import { SdkSession } from '../robot/sdk-session.ts';
import { SimulationBackend } from '../robot/simulation/simulation-backend.ts';
import { EventBus } from '../shared/async/event-bus.ts';
import { createLogger } from '../shared/logger.ts';
import { ManualLoop } from './manual-loop.ts';

/** An awake robot with controlled time, and programs that have said hello. */
export async function awakeRobot() {
  const loop = new ManualLoop();
  const log = createLogger('error', () => {});
  const robot = new Robot({ backend: new SimulationBackend({ noiseRad: 0 }), loop, publish: () => {}, log });
  robot.start({ wakeUp: true });
  const volumes = new EventBus<number>();
  const volume = { percent: 100, onChange: volumes.subscribe };
  await loop.pass(2);
  const newProgram = () => {
    const received: SdkReply[] = [];
    const held: number[] = [];
    let mayMove = true;
    let onStop = () => {};
    const session = new SdkSession({
      robot,
      admit: () => ({
        requireMotion: (durationS) => {
          if (!mayMove) throw new MotionRefused('Another program has the slot.');
          held.push(durationS);
        },
        onStop: (listener) => {
          onStop = listener;
        },
        silent: () => {},
        leave: () => {},
      }),
      volume,
      daemonVersion: '0',
      send: (reply) => void received.push(SdkReply.parse(reply)),
      congested: () => false,
      close: () => {},
    });
    const say = (message: object) => void session.receive(JSON.stringify(message));
    say({ type: 'hello', protocol: 1, sdkVersion: '1.0.0', runToken: null, clientName: 'test' });
    return {
      session,
      say,
      held,
      /** It is asked to stop. */
      askToStop: () => onStop(),
      /** From now on another program has the slot. */
      refuseMotion: () => {
        mayMove = false;
      },
      /** The volumes that it was told. */
      heard: () => received.flatMap((reply) => (reply.type === 'volume' ? [reply.volume] : [])),
      /** The messages since the last look, without those that every program gets. */
      news: () => received.splice(0).filter(({ type }) => !['state', 'welcome', 'volume'].includes(type)),
    };
  };
  return { robot, loop, volumes, newProgram };
}
