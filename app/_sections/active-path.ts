import { getFixtureDetail } from '@/lib/fixtures/queries';
import { pathOfAll } from '@/lib/http/markup';
import { guest } from '@/lib/http/viewer';
import { now } from '@/lib/platform/clock';
import { isFailure } from '@/lib/platform/errors';
import { matchPath } from '@/lib/route-table';
import { routes } from '@/lib/routes';

/** Spec §2.2: the path whose entry the side menu marks, that of its sport on the page of a fixture; null where a page is made for somebody, whose menu follows the router. */
export async function activePath(): Promise<string | null> {
  const path = pathOfAll();
  const reference = matchPath('/fixture/{fixtureReference}', path ?? '')?.fixtureReference;
  if (reference === undefined) return path;
  try {
    return routes.sport((await getFixtureDetail(guest(), reference, now())).sportReference);
  } catch (error) {
    if (isFailure(error, 'missing')) return path;
    throw error;
  }
}
