import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';

/** A part of a report, which its user may look at and leave out. */
export const ReportPart = named('ReportPart', {
  /** `system`, `log`; `output-dance`: the last lines of the app dance. */
  id: z.string(),
  title: z.string(),
  /** Lines, in which what opens something or tells who the user is was masked as far as it can be recognized. */
  text: z.string(),
  /** Whether the report has it unless its user chooses otherwise. */
  isIncluded: z.boolean(),
});
export type ReportPart = z.infer<typeof ReportPart>;

/** The material for a report of a problem. Nothing sends it anywhere: its user saves what it shall have as a file. */
export const ProblemReport = named('ProblemReport', {
  createdAt: Timestamp,
  /** Of the daemon, or of the command that made it without one. */
  version: z.string(),
  parts: z.array(ReportPart),
});
export type ProblemReport = z.infer<typeof ProblemReport>;
