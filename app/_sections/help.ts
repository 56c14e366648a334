import { log } from '@/lib/platform/log';
import { findHelpLine } from '@/lib/reference/queries';
import { defaultCountry, defaultHelpLine } from '@/lib/reference/schema';

/** The help line at the foot of a page, which is the same for everybody and holds also when the database cannot be asked. */
export async function readHelp() {
  try {
    return await findHelpLine(defaultCountry.id);
  } catch (error) {
    log.warn({ event: 'help_line_unread', err: error });
    return defaultHelpLine;
  }
}
