/** What matches the paths of an operation, `/api/jobs/{jobId}`, as they arrive: before anything in them is decoded. */
export function pathPattern(path: string): string {
  return `${path.replace(/\{\w+\}/g, '[^/]+')}/?`;
}
