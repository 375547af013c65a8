import { projectVersion } from '../project.ts';
import { endWithReader } from '../shared/end-with-reader.ts';
import { runProgram } from '../shared/run-program.ts';
import { assistantProgram } from './assistant-program.ts';

/** Runs the command `robot-app-assistant`. @param options.projectDir the folder with package.json, assets and dist */
export async function appAssistant(
  argv: readonly string[],
  { projectDir }: { readonly projectDir: string },
): Promise<void> {
  endWithReader();
  await runProgram(assistantProgram(projectDir), argv, await projectVersion(projectDir));
}
