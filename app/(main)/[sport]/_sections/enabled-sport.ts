import { notFound } from 'next/navigation';
import { type Sport, sports } from '@/lib/reference/schema';

/** The enabled sport of this reference, or the 404 page. */
export function enabledSport(reference: string): Sport {
  return sports.find((sport) => sport.enabled && sport.reference === reference) ?? notFound();
}
