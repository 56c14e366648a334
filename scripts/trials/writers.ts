import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { houseBookmakerId, PortfolioVisibility } from '@/lib/reference/schema';
import { type Answer, send } from './send';
import { bodyOf, type Offer, password, type Tipster } from './tipsters';

type Person = Omit<Tipster, 'token'>;
type Kind = 'tip' | 'bet' | 'portfolio' | 'follow';

/** One write of a person: sent again under its key until it is answered. */
type Write = { kind: Kind; method: string; path: string; body: string; stake?: number };

/** What was acknowledged of one person: the references of what was made, and the stake that was set last. */
type Acknowledged = { tips: string[]; bets: string[]; portfolios: string[]; stake: number | null };

const made = { tip: 'tips', bet: 'bets', portfolio: 'portfolios' } as const;
const mostPortfolios = 19;
const tokenMilliseconds = 8 * 60_000;

// The limits of calls count by network, and none of them is what is tried here.
const anyNetwork = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

/**
 * People who publish tips, record bets, open portfolios and follow, one write after the other each. What fails is sent again with its key until it
 * is answered, so that in the end there must be exactly what was acknowledged.
 */
export class Writers {
  readonly #people: readonly Person[];
  readonly #offer: Offer;
  readonly #pauseMilliseconds: number;
  readonly #originOf: () => string;
  readonly #acknowledged = new Map<string, Acknowledged>();
  readonly #atWork: Promise<void>[] = [];
  #gate = Promise.resolve();
  #openGate: () => void = () => undefined;
  #busy = 0;
  #isOver = false;
  /** How many writes were acknowledged, and when the last one was, on the clock of `performance.now()`. */
  acknowledged = 0;
  lastAt = 0;
  /** How many attempts were not answered by the program, or with a status of 500 or more; and what else went wrong. */
  failures: string[] = [];
  readonly refused: string[] = [];

  constructor(
    people: readonly Person[],
    offer: Offer,
    { originOf, pauseMilliseconds }: { originOf: () => string; pauseMilliseconds: number },
  ) {
    this.#people = people;
    this.#offer = offer;
    this.#originOf = originOf;
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** Lets everybody begin. */
  start(): void {
    for (const [place, person] of this.#people.entries()) {
      this.#acknowledged.set(person.username, { tips: [], bets: [], portfolios: [], stake: null });
      this.#atWork.push(this.#work(person, `127.1.${place >> 8}.${(place % 254) + 1}`));
    }
  }

  /** Waits until every write under way is acknowledged, and lets none begin until what is returned is called. */
  async pause(): Promise<() => void> {
    this.#gate = new Promise((resolve) => (this.#openGate = resolve));
    do await sleep(5);
    while (this.#busy > 0);
    return this.#openGate;
  }

  /** Ends when everybody's last write is acknowledged. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#openGate();
    await Promise.all(this.#atWork);
  }

  async #work(person: Person, from: string): Promise<void> {
    let token = '';
    let tokenAt = Number.NEGATIVE_INFINITY;
    await sleep(Math.random() * this.#pauseMilliseconds);
    while (!this.#isOver) {
      await this.#gate;
      this.#busy += 1;
      if (performance.now() - tokenAt > tokenMilliseconds) {
        token = await this.#signIn(person, from);
        tokenAt = performance.now();
      }
      await this.#write(person, token, from);
      this.#busy -= 1;
      await sleep(this.#pauseMilliseconds * (0.5 + Math.random()));
    }
  }

  async #signIn({ username }: Person, from: string): Promise<string> {
    const { text } = await this.#untilAnswered({
      method: 'POST',
      path: '/api/auth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
      from,
    });
    return (JSON.parse(text) as { token?: string }).token ?? '';
  }

  async #write(person: Person, token: string, from: string): Promise<void> {
    const known = this.#acknowledged.get(person.username);
    if (!known) return;
    const write = this.#next(person, known);
    const answer = await this.#untilAnswered({
      method: write.method,
      path: write.path,
      body: write.body,
      from,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
    });
    if (answer.status >= 300) {
      this.refused.push(`${write.kind}: ${answer.status} ${answer.text.slice(0, 200)}`);
      return;
    }
    this.acknowledged += 1;
    this.lastAt = performance.now();
    if (write.kind === 'follow') known.stake = write.stake ?? null;
    else known[made[write.kind]].push((JSON.parse(answer.text) as { reference: string }).reference);
  }

  /** The same request, key and all, until somebody answers it. */
  async #untilAnswered(sent: Parameters<typeof send>[1]): Promise<Answer> {
    for (;;) {
      try {
        const headers = { ...sent.headers, 'x-forwarded-for': anyNetwork() };
        const answer = await send(this.#originOf(), { ...sent, headers });
        if (answer.status < 500) return answer;
        this.failures.push(`${sent.path}: ${answer.status}`);
      } catch (error) {
        this.failures.push(`${sent.path}: ${error instanceof Error ? error.message : String(error)}`);
      }
      await sleep(50);
    }
  }

  #next({ portfolio }: Person, known: Acknowledged): Write {
    const { fixtureReference, selectionId } = this.#offer;
    const chance = Math.random();
    if (chance < 0.05 && known.portfolios.length < mostPortfolios)
      return {
        kind: 'portfolio',
        method: 'POST',
        path: '/api/user/portfolio',
        body: JSON.stringify({ name: `Trial ${randomUUID()}`, visibility: PortfolioVisibility.public }),
      };
    if (chance < 0.3) {
      const stake = randomInt(1, 100_000);
      return {
        kind: 'follow',
        method: known.stake === null ? 'POST' : 'PUT',
        path: `/api/user/following/${this.#people.find((other) => other.portfolio !== portfolio)?.portfolio}`,
        body: JSON.stringify({ maxStake: stake }),
        stake,
      };
    }
    if (chance < 0.6)
      return {
        kind: 'bet',
        method: 'POST',
        path: '/api/user/bets',
        body: JSON.stringify({
          legs: [
            {
              fixtureReference,
              selectionId,
              bookmakerId: houseBookmakerId,
              price: { oddsThousandths: 2_000, fraction: null },
            },
          ],
          stakeMinor: 100,
        }),
      };
    return {
      kind: 'tip',
      method: 'POST',
      path: `/api/user/portfolio/${portfolio}/tips/add-tip`,
      body: bodyOf(this.#offer),
    };
  }

  /** What of the acknowledged is not in the database; asked while people go on. */
  async lost(client: pg.Client): Promise<string[]> {
    const wanted = (name: 'tips' | 'bets' | 'portfolios') =>
      [...this.#acknowledged.values()].flatMap((each) => each[name]);
    const missing: string[] = [];
    for (const kind of ['tip', 'bet', 'portfolio'] as const) {
      const { rows } = await client.query<{ reference: string }>(
        `select wanted.reference from unnest($1::text[]) as wanted (reference) where not exists (select from ${kind} where reference = wanted.reference)`,
        [wanted(made[kind])],
      );
      missing.push(...rows.map(({ reference }) => `the ${kind} ${reference} was acknowledged and is not there`));
    }
    return missing;
  }

  /** What there is that was not acknowledged, or not as it was acknowledged last; only while everybody pauses. */
  async differing(client: pg.Client): Promise<string[]> {
    const { rows } = await client.query<{
      username: string;
      tips: number;
      bets: number;
      portfolios: number;
      stakes: string[];
    }>(
      `select username,
         (select count(*)::int from tip join portfolio on portfolio.id = portfolio_id where owner_id = account.id) as tips,
         (select count(*)::int from bet where account_id = account.id) as bets,
         (select count(*)::int - 1 from portfolio where owner_id = account.id) as portfolios,
         array(select max_stake_hundredths::text from follow where account_id = account.id) as stakes
       from account where username = any($1)`,
      [[...this.#acknowledged.keys()]],
    );
    const found: string[] = [];
    for (const row of rows) {
      const known = this.#acknowledged.get(row.username);
      if (!known) continue;
      for (const name of ['tips', 'bets', 'portfolios'] as const)
        if (row[name] !== known[name].length || new Set(known[name]).size !== known[name].length)
          found.push(`${row.username} was told of ${known[name].length} ${name} and has ${row[name]}`);
      const stakes = known.stake === null ? [] : [String(100 * known.stake)];
      if (stakes.join() !== row.stakes.join())
        found.push(`${row.username} set the stakes ${stakes.join()} and has ${row.stakes.join()}`);
    }
    return found;
  }
}
