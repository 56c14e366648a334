import { z } from 'zod';
import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { calendarTtlSeconds, writeLeagueCalendar } from '@/lib/pages/calendar';
import { feedTypes } from '@/lib/pages/feeds';

const file = z
  .string()
  .max(220)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*\.ics$/, 'must be the name of a calendar, as england-premier-league.ics');

export const GET = handle(
  {
    summary: 'The fixtures of a league as a calendar',
    access: 'unidentified',
    params: z.object({ file }),
    answers: downloadOf([feedTypes.calendar]),
    keptSeconds: calendarTtlSeconds,
  },
  async ({ params, now }) =>
    new Download(
      { name: params.file, mediaType: feedTypes.calendar, shownSeconds: calendarTtlSeconds },
      await writeLeagueCalendar(params.file.replace(/\.ics$/, ''), now),
    ),
);
