import { handle } from '@/lib/api/handle';
import { listAutobets } from '@/lib/bets/queries';
import { autobetsSchema } from '@/lib/bets/schema';

export const GET = handle(
  { summary: 'One’s own autobet rules, and what they last made of tips', access: 'member', answers: autobetsSchema },
  ({ viewer }) => listAutobets(viewer),
);
