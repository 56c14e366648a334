'use client';

import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';
import type { FixtureDetail } from '@/lib/fixtures/schema';
import { viewerAtom } from '../state/viewer';
import { useLoadedPart } from '../ui/use-loaded';

const load = () => import('./desk');

/** Where tips on a fixture are made: `children` for guests, and until the browser knows who is looking. */
export function FixtureDesk({ fixture, children }: { fixture: FixtureDetail; children: ReactNode }) {
  const { kind } = useAtomValue(viewerAtom);
  const part = useLoadedPart(kind === 'member' ? load : null);
  return part.kind === 'loaded' ? <part.value.Desk fixture={fixture} entrance={children} /> : children;
}
