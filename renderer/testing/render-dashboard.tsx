import { MantineProvider } from '@mantine/core';
import { type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { DashboardContext } from '../store/use-dashboard.ts';
import { cssVariables, theme } from '../theme/theme.ts';
import type { TestDashboard } from './fake-daemon.ts';

export function renderDashboard({ store }: TestDashboard, content: ReactNode): RenderResult {
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <DashboardContext value={store}>{children}</DashboardContext>
    </MantineProvider>
  );
  return render(content, { wrapper });
}
