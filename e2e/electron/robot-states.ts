import type { RobotState } from '../../daemon/contract/robot/robot.ts';

/** Collects the states of the robot until the daemon has ended. */
export async function robotStates({ url }: { readonly url: string }): Promise<RobotState['state'][]> {
  const states: RobotState['state'][] = [];
  const events = await fetch(`${url}/api/events`);
  const read = async () => {
    let text = '';
    for await (const chunk of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        const event = data ? JSON.parse(data) : {};
        const robot = event.type === 'snapshot' ? event.snapshot.robot : event.robot;
        if (robot && states.at(-1) !== robot.state) states.push(robot.state);
      }
    }
  };
  await read().catch(() => {}); // the connection ends with the daemon
  return states;
}
