/** The time of day, passed in so that tests choose it. */
export type Now = () => Date;

export const systemNow: Now = () => new Date();
