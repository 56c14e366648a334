import { PenLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state';
import { Icon } from '../ui/icon';

/** What the owner of a portfolio without a tip does next. */
export function FirstTip({ action }: { action: ReactNode }) {
  return (
    <EmptyState icon={<Icon of={PenLine} size="large" />} title="Publish your first tip" action={action}>
      Your record begins with it: choose a match, take a price on offer, and say why.
    </EmptyState>
  );
}
