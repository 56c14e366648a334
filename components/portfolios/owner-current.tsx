'use client';

import { useAtomValue } from 'jotai';
import { viewerAtom } from '../state/viewer';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';

type OwnerCurrentProps = { reference: string; name: string };

/** Spec §4: says that a portfolio is the current one, or makes it that, here and in the member's other windows. */
export function OwnerCurrent({ reference, name }: OwnerCurrentProps) {
  const viewer = useAtomValue(viewerAtom);
  if (viewer.kind !== 'member') return null;
  if (viewer.currentPortfolio === reference) return <Badge tone="accent">Current</Badge>;
  const choose = async () => {
    const { choosePortfolio } = await import('../state/viewer');
    await choosePortfolio(reference);
  };
  return (
    <Button look="quiet" size="small" aria-label={`Make ${name} the current portfolio`} onClick={() => void choose()}>
      Make current
    </Button>
  );
}
