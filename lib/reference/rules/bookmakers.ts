import { bookmakerPreference } from '../schema/bookmaker-list';
import type { Bookmaker } from '../schema/bookmakers';

const places = new Map(bookmakerPreference.map((id, place) => [id, place]));

/** Spec §3: orders bookmakers for display, those of the preference list first and in its order, the others after them by id. */
export function byPreference(one: Pick<Bookmaker, 'id'>, other: Pick<Bookmaker, 'id'>): number {
  const last = places.size;
  return (places.get(one.id) ?? last) - (places.get(other.id) ?? last) || one.id - other.id;
}
