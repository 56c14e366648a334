import { getDefaultStore, useSetAtom } from 'jotai';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { routes } from '@/lib/routes';
import { addTipsDaysAtom, loadPreferences } from '../state/preferences';
import { DayLinks } from './day-links';
import type { DaysChoiceProps } from './day-tabs';

/** The choice of days, kept with each press; an address that says nothing of days shows as many as were kept. */
export function KeptDays({ reference, days, isAsked }: DaysChoiceProps) {
  const router = useRouter();
  const keep = useSetAtom(addTipsDaysAtom);

  useEffect(() => {
    let isLeft = false;
    void loadPreferences().then(() => {
      const kept = getDefaultStore().get(addTipsDaysAtom);
      if (isLeft) return;
      if (isAsked) void keep(days);
      else if (kept !== days) router.replace(routes.addTips(reference, { days: kept }));
    });
    return () => void (isLeft = true);
  }, [days, isAsked, reference, keep, router]);

  return <DayLinks reference={reference} days={days} />;
}
