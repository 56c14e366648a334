import type { Intent } from '@/components/state/after-login';
import { guest } from '@/lib/http/viewer';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';

/** The tipster whom somebody signs in or up to follow, from the address; undefined when it names none whom everybody may see. */
export async function followIntent(
  reference: string | undefined,
): Promise<Extract<Intent, { kind: 'follow' }> | undefined> {
  if (!reference || reference.length > 200) return undefined;
  try {
    const { name, abandoned } = await getPortfolio(guest(), reference);
    return abandoned ? undefined : { kind: 'follow', portfolioReference: reference, name };
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return undefined;
    throw error;
  }
}
