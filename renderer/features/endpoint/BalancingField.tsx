import type { Balancing } from '../../../daemon/contract/endpoints/balancing.ts';
import { RadioList } from '../../parts/forms/RadioList.tsx';

interface Choice {
  readonly value: Balancing;
  readonly label: string;
  readonly description: string;
}

const choices: readonly Choice[] = [
  { value: 'random', label: 'Any of them', description: 'By chance.' },
  {
    value: 'least_connections',
    label: 'The one with the fewest requests',
    description: 'Short answers do not wait behind long ones.',
  },
  {
    value: 'sticky',
    label: 'The same one for each caller',
    description: 'It may remember the beginning of a chat, and answer sooner.',
  },
  {
    value: 'mcp',
    label: 'The same one for each MCP session',
    description: 'For servers of tools that keep a session.',
  },
];

/** Only programs set it: it is offered where it is set. */
const stateless: Choice = {
  value: 'mcp-stateless',
  label: 'Any of them, as MCP without sessions',
  description: 'As a program has set it.',
};

interface BalancingFieldProps {
  readonly balancing: Balancing;
  /** The rule that is stored. */
  readonly stored: Balancing;
  readonly onChoose: (balancing: Balancing) => void;
}

/** The replica that gets a request. */
export function BalancingField({ balancing, stored, onChoose }: BalancingFieldProps) {
  return (
    <RadioList
      legend="A request goes to"
      choices={stored === stateless.value ? [...choices, stateless] : choices}
      chosen={balancing}
      onChoose={onChoose}
    />
  );
}
