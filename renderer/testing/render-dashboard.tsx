import { MantineProvider } from '@mantine/core';
import { type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { type ReadmeParser, ReadmeParserContext } from '../features/readme/readme-parser.ts';
import { readmeTree } from '../features/readme/readme-tree.ts';
import { DashboardContext } from '../store/use-dashboard.ts';
import { cssVariables, theme } from '../theme/theme.ts';
import type { TestDashboard } from './fake-daemon.ts';

/** Tests have no workers. */
const parseHere: ReadmeParser = async (markdown) => readmeTree(markdown);

export function renderDashboard({ store }: TestDashboard, content: ReactNode): RenderResult {
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <DashboardContext value={store}>
        <ReadmeParserContext value={parseHere}>{children}</ReadmeParserContext>
      </DashboardContext>
    </MantineProvider>
  );
  return render(content, { wrapper });
}
