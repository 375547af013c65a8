import type { CheckReport } from '../../../contract/apps/own-apps.ts';
import { sarifReport } from './sarif-report.ts';
import { textReport } from './text-report.ts';

export const reportFormats = ['text', 'json', 'sarif'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * Writes a report for people, for programs, or for tools that read SARIF 2.1.0.
 * @param folder the checked folder, an absolute path
 * @returns lines that end in a line feed
 */
export function formatReport(report: CheckReport, folder: string, format: ReportFormat): string {
  switch (format) {
    case 'text':
      return textReport(report, folder);
    case 'json':
      return `${JSON.stringify({ folder, ...report }, null, 2)}\n`;
    case 'sarif':
      return `${JSON.stringify(sarifReport(report, folder), null, 2)}\n`;
  }
}
