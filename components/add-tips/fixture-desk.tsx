'use client';

import type { ReactNode } from 'react';
import type { FixtureDetail } from '@/lib/fixtures/schema';
import { useLazy } from '../state/use-lazy';
import type { Signal } from '../state/interaction';

const load = () => import('./desk');
const signals: readonly Signal[] = ['member'];

/** Where tips on a fixture are made: `children` for guests, and until the browser knows who is looking. */
export function FixtureDesk({ fixture, children }: { fixture: FixtureDetail; children: ReactNode }) {
  const parts = useLazy(load, signals);
  return parts ? <parts.Desk fixture={fixture} entrance={children} /> : children;
}
