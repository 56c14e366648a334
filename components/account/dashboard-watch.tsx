'use client';

import { useLazy } from '../state/use-lazy';

const load = () => import('./dashboard-in-step');

/** Stands on pages that only members see, and keeps them in step with what the browser knows. */
export function DashboardWatch() {
  const parts = useLazy(load);
  return parts && <parts.DashboardInStep />;
}
