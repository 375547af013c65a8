import * as z from 'zod';

/** Percent: 0 is silent, 100 as loud as the sound itself. */
export const VolumePercent = z.int().min(0).max(100);

/** The volume of the sounds that programs play on the robot. */
export const SoundVolume = z
  .object({
    volume: VolumePercent,
    /** The system that the daemon runs on, such as `Linux`. */
    platform: z.string(),
    /** The sounds that the volume applies to. */
    device: z.string(),
  })
  .meta({ id: 'SoundVolume' });
export type SoundVolume = z.infer<typeof SoundVolume>;
