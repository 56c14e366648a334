'use client';

import { getDefaultStore, useSetAtom } from 'jotai';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { routes } from '@/lib/routes';
import { addTipsDaysAtom, loadPreferences } from '../state/preferences';
import { DayLinks } from './day-links';

type KeptDaysProps = {
  /** The sport of the page, or none. */
  reference: string | undefined;
  days: number;
  /** False when the address says nothing of days, so that what was kept holds. */
  isAsked: boolean;
};

/** Spec §3: the choice of days, kept on this device with each press; an address that says nothing of days shows as many as were kept. */
export function KeptDays({ reference, days, isAsked }: KeptDaysProps) {
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
