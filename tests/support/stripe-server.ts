import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { card, type Card, fieldsOf, type Thing, thing } from './stripe-objects';

/** What goes wrong with calls to come: of which, how, and how often. `lost` is done and its answer never arrives; `broken` is a fault whose answer is kept under the key, `refused` names its `error`. */
export type StripeFault = {
  on: RegExp;
  how: 'busy' | 'fault' | 'broken' | 'lost' | 'slow' | 'refused';
  times: number;
  error?: Record<string, unknown>;
  milliseconds?: number;
};

/** A notice as it is sent: its body and its signature. */
export type Notice = { body: string; signature: string };

type Refusal = { status: number; error: Record<string, unknown> };
type Query = Record<string, unknown>;

class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super('refused');
  }
}

const refuse = (status: number, error: Record<string, unknown>): never => {
  throw new Refused({ status, error: { type: 'invalid_request_error', message: 'Refused.', ...error } });
};

const minute = 60;
const disputeSeconds = 48 * 3_600;

/** A server that behaves like Stripe as far as the program asks it, with all that it holds; `now` is its clock, `faults` what goes wrong with it. */
export class StripeServer {
  readonly things = new Map<string, Thing>();
  readonly faults: StripeFault[] = [];
  readonly calls: string[] = [];
  readonly events: Thing[] = [];
  now: () => Date = () => new Date();
  /** Until when charges are disputed and pages expire by themselves. */
  agedUntil: () => Date = () => this.now();
  /** What is kept of a payment (a part and an amount), of a refund and of a dispute; `late` while it is not told with what it is of. */
  readonly fees = { percent: 1.5, fixed: 20, refund: 0, dispute: 2000, late: false };
  /** The one currency that it keeps all money in, and what one of another is worth in it; null where each is kept as it comes. */
  exchange: { currency: string; rate: number } | null = null;
  key = 'sk_test_ofTheTests';
  secret = 'whsec_ofTheTests';
  url = '';
  private readonly answers = new Map<string, { hash: string; status: number; body: unknown }>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  /** Listens on a free port of this machine. */
  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Listens no more. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** Everything of a kind, the newest first. */
  all(object: string): Thing[] {
    return [...this.things.values()].filter((each) => each.object === object).toReversed();
  }

  /** What the payer does on the page of a session. */
  pay(session: string, choice: Card): void {
    const page = this.get(session);
    if (page.status !== 'open' || choice === 'cancelled') return;
    const method = this.put(
      thing('payment_method', this.seconds(), { card, customer: page.customer, behaviour: choice }),
    );
    if (page.mode === 'setup') {
      // The page stays open for another card.
      if (choice === 'declined') return;
      const setup = this.put(
        thing('setup_intent', this.seconds(), { payment_method: method.id, metadata: page.metadata }),
      );
      Object.assign(page, { status: 'complete', payment_status: 'no_payment_required', setup_intent: setup.id });
      return this.tell('checkout.session.completed', page);
    }
    const { amount_total: amount, currency, customer, metadata } = page;
    const intent = this.put(
      thing('payment_intent', this.seconds(), {
        amount,
        currency,
        customer,
        metadata,
        payment_method: method.id,
        status: 'requires_payment_method',
      }),
    );
    page.payment_intent = intent.id;
    if (choice === 'declined') {
      this.decline(intent, 'card_declined', 'generic_decline');
      return;
    }
    if (choice === 'pending') intent.status = 'processing';
    else this.succeed(intent, choice);
    Object.assign(page, { status: 'complete', payment_status: choice === 'pending' ? 'unpaid' : 'paid' });
    this.tell('checkout.session.completed', page);
  }

  /** What becomes of a payment that was pending. */
  settle(intent: string, outcome: 'succeeded' | 'failed'): void {
    const held = this.get(intent);
    if (outcome === 'succeeded') this.succeed(held, 'success');
    else this.decline(held, 'card_declined', 'insufficient_funds');
  }

  /** Disputes the charge of an intent. */
  dispute(intent: string, status = 'needs_response'): Thing {
    const held = this.get(intent);
    const charge = this.get(held.latest_charge as string);
    charge.disputed = true;
    const { amount, currency } = held;
    const dispute = this.put(
      thing('dispute', this.seconds(), { amount, currency, charge: charge.id, payment_intent: intent, status }),
    );
    if (!status.startsWith('warning_')) this.book(dispute, this.fees.dispute);
    this.tell('charge.dispute.created', dispute);
    return dispute;
  }

  /** A connected account under a name, as Stripe's dashboard makes one. */
  account(id: string): Thing {
    return this.put(thing('account', this.seconds(), { id }));
  }

  /** What the owner of an account has given on Stripe's pages: all of it, or nothing of it any more. */
  onboard(id: string, { able = true, needed = [] as string[] } = {}): void {
    Object.assign(this.get(id), {
      capabilities: { transfers: able ? 'active' : 'inactive' },
      payouts_enabled: able && needed.length === 0,
      details_submitted: true,
      requirements: { currently_due: needed, disabled_reason: null, past_due: [] },
    });
  }

  /** The notices of what has happened since the last time, signed. */
  notices(): Notice[] {
    return this.events.splice(0).map((event) => this.sign(JSON.stringify(event)));
  }

  /** A body with the signature of this server, or of another. */
  sign(body: string, { secret = this.secret, at = this.seconds() } = {}): Notice {
    const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return { body, signature: `t=${at},v1=${v1}` };
  }

  private seconds = () => Math.floor(this.now().getTime() / 1000);

  private put(made: Thing): Thing {
    this.things.set(made.id, made);
    return made;
  }

  private get(id: string): Thing {
    return this.things.get(id) ?? refuse(404, { code: 'resource_missing', message: `No such object: ${id}` });
  }

  private tell(type: string, object: Thing): void {
    this.events.push(thing('event', this.seconds(), { type, data: { object: structuredClone(object) } }));
  }

  private succeed(intent: Thing, behaviour: Card): void {
    const { amount, currency, customer, metadata, payment_method } = intent;
    const charge = this.put(
      thing('charge', this.seconds(), {
        amount,
        currency,
        customer,
        metadata,
        payment_method,
        payment_intent: intent.id,
      }),
    );
    this.book(charge, Math.round((Number(amount) * this.fees.percent) / 100) + this.fees.fixed);
    if (behaviour === 'chargeback-later') charge.disputes_at = this.seconds() + disputeSeconds;
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: amount,
      latest_charge: charge.id,
      last_payment_error: null,
    });
    this.tell('payment_intent.succeeded', intent);
  }

  /** A change of the balance that no payment made, of a type of Stripe's, below zero where money went away; `more` is what else it says. */
  move(type: string, amount: number, more: Record<string, unknown> = {}): Thing {
    const said = { currency: 'gbp', fee: 0, source: null, reporting_category: type, ...more };
    return this.put(
      thing('balance_transaction', this.seconds(), { type, amount, net: amount - Number(said.fee), ...said }),
    );
  }

  // What was moved, and what of it is kept.
  private book(source: Thing, fee: number): Thing {
    const { currency, rate } =
      this.exchange && this.exchange.currency !== source.currency
        ? this.exchange
        : { currency: source.currency, rate: null };
    const exchanged = (minor: number) => Math.round(minor * (rate ?? 1));
    const amount = exchanged(source.object === 'charge' ? Number(source.amount) : -Number(source.amount));
    const made = this.move(source.object === 'dispute' ? 'adjustment' : source.object, amount, {
      ...{ currency, fee: exchanged(fee), exchange_rate: rate, source: source.id, reporting_category: source.object },
    });
    if (source.object !== 'dispute') source.balance_transaction = this.fees.late ? null : made.id;
    else if (!this.fees.late) source.balance_transactions = [structuredClone(made)];
    return made;
  }

  /** Tells what was late. */
  tellFees(): void {
    for (const made of this.all('balance_transaction')) {
      if (made.source === null) continue;
      const source = this.get(made.source as string);
      if (source.object === 'dispute') source.balance_transactions = [structuredClone(made)];
      else source.balance_transaction = made.id;
    }
  }

  private decline(intent: Thing, code: string, decline_code: string): Record<string, unknown> {
    const error = { type: 'card_error', code, decline_code, message: 'Your card was declined.' };
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error });
    this.tell('payment_intent.payment_failed', intent);
    return error;
  }

  // What becomes of charges by itself has become of them whenever anybody looks.
  private age(): void {
    const until = this.agedUntil().getTime() / 1000;
    for (const charge of this.all('charge'))
      if (!charge.disputed && Number(charge.disputes_at ?? Infinity) <= until)
        this.dispute(charge.payment_intent as string);
    for (const session of this.all('checkout.session'))
      if (session.status === 'open' && Number(session.expires_at) <= until) session.status = 'expired';
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '/', this.url);
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    const fault = this.faults.find(({ on, times }) => times > 0 && on.test(call));
    if (fault) fault.times -= 1;
    const send = (status: number, told: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${this.calls.length}`,
        ...headers,
      });
      response.end(JSON.stringify(told));
    };
    if (fault?.how === 'busy')
      return send(429, { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Busy.' } });
    if (fault?.how === 'refused')
      return send(400, { error: { type: 'invalid_request_error', message: 'Refused.', ...fault.error } });
    if (fault?.how === 'fault') return send(500, { error: { type: 'api_error', message: 'A fault.' } });
    const key = request.headers['idempotency-key'] as string | undefined;
    const hash = createHash('sha256').update(`${call} ${body}`).digest('hex');
    const known = key === undefined ? undefined : this.answers.get(key);
    if (known && known.hash !== hash)
      return send(400, { error: { type: 'idempotency_error', message: 'Keys are for the same parameters only.' } });
    const { status, told } = known
      ? { status: known.status, told: known.body }
      : fault?.how === 'broken'
        ? { status: 500, told: { error: { type: 'api_error', message: 'A fault.' } } }
        : this.answer(request, url, body);
    // What was refused before it was begun is forgotten; all else is what the key stands for.
    if (key !== undefined && !known && (status < 400 || status === 402 || status >= 500))
      this.answers.set(key, { hash, status, body: structuredClone(told) });
    if (fault?.how === 'lost') return void request.socket.destroy();
    if (fault?.how === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    send(status, told, known ? { 'idempotent-replayed': 'true' } : {});
  }

  private answer(request: IncomingMessage, url: URL, body: string): { status: number; told: unknown } {
    try {
      if (request.headers.authorization !== `Bearer ${this.key}`) refuse(401, { message: 'Invalid API Key provided.' });
      const fields = fieldsOf(request.method === 'POST' ? body : url.search.slice(1));
      this.age();
      const [, , ...path] = url.pathname.split('/');
      const told = this.do(`${request.method} ${path.join('/')}`, path, fields);
      const expand = Object.values((fields.expand ?? {}) as Record<string, string>);
      return {
        status: 200,
        told: expand.reduce((all, each) => this.expanded(all, each.split('.')), structuredClone(told)),
      };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.refusal.status, told: { error: error.refusal.error } };
    }
  }

  private expanded(told: unknown, [first, ...rest]: string[]): unknown {
    if (first === undefined || told === null || typeof told !== 'object') return told;
    const at = told as Record<string, unknown>;
    const value = at[first];
    if (Array.isArray(value)) at[first] = value.map((each) => this.expanded(each, rest));
    else if (typeof value === 'string') at[first] = this.expanded(structuredClone(this.get(value)), rest);
    else this.expanded(value, rest);
    return at;
  }

  private do(call: string, path: string[], fields: Query): unknown {
    const id = path.find((part) => this.things.has(part) || /_\d{14}$/.test(part)) ?? '{id}';
    switch (call.replace(id, '{id}')) {
      case 'POST customers':
        return this.put(thing('customer', this.seconds(), { metadata: fields.metadata ?? {} }));
      case 'POST payment_methods/{id}/detach':
        if (this.get(id).customer === null) refuse(400, { message: 'The payment method is not attached.' });
        return Object.assign(this.get(id), { customer: null });
      case 'POST checkout/sessions':
        return this.openSession(fields);
      case 'POST checkout/sessions/{id}/expire':
        if (this.get(id).status !== 'open') refuse(400, { message: 'Only open sessions can be expired.' });
        return Object.assign(this.get(id), { status: 'expired', url: null });
      case 'POST payment_intents':
        return this.charge(fields);
      case 'POST payment_intents/{id}/cancel':
        return Object.assign(this.get(id), { status: 'canceled', canceled_at: this.seconds() });
      case 'POST refunds':
        return this.refund(fields);
      case 'POST transfers':
        return this.transfer(fields);
      case 'POST accounts':
        return this.openAccount(fields);
      case 'POST account_links':
        return this.linkTo(fields);
      case 'GET accounts':
        return this.list('account', fields);
      case 'GET checkout/sessions':
        return this.list('checkout.session', fields);
      case 'GET payment_intents':
        return this.list('payment_intent', fields);
      case 'GET refunds':
        return this.list('refund', fields);
      case 'GET disputes':
        return this.list('dispute', fields);
      case 'GET transfers':
        return this.list('transfer', fields);
      case 'GET balance_transactions':
        return this.list('balance_transaction', fields);
      case 'GET balance_transactions/{id}':
      case 'GET accounts/{id}':
      case 'GET checkout/sessions/{id}':
      case 'GET payment_methods/{id}':
      case 'GET payment_intents/{id}':
        return this.get(id);
      default:
        return refuse(404, { message: `Unrecognized request URL (${call}).` });
    }
  }

  private list(object: string, fields: Query) {
    const { limit = '10', starting_after: after, created = {} } = fields;
    const { gte = '0', lt = 'Infinity' } = created as Record<string, string>;
    const known = this.all(object).filter(
      (each) =>
        each.created >= Number(gte) &&
        each.created < Number(lt) &&
        ['customer', 'payment_intent', 'transfer_group'].every(
          (name) => fields[name] === undefined || fields[name] === each[name],
        ),
    );
    const from = after === undefined ? 0 : known.findIndex(({ id }) => id === after) + 1;
    const data = known.slice(from, from + Number(limit));
    return { object: 'list', url: '/', has_more: from + data.length < known.length, data };
  }

  private openSession(fields: Query): Thing {
    const { mode, customer, metadata, expires_at: expires, client_reference_id, success_url, cancel_url } = fields;
    const left = Number(expires) - this.seconds();
    if (left < 30 * minute || left > 24 * 60 * minute)
      refuse(400, {
        param: 'expires_at',
        message: 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.',
      });
    this.get(customer as string);
    const [item] = Object.values((fields.line_items ?? {}) as Record<string, { price_data: Record<string, string> }>);
    const amount = mode === 'setup' ? null : Number(item?.price_data.unit_amount);
    if (amount !== null && !(amount >= 30)) refuse(400, { code: 'amount_too_small' });
    const session = this.put(
      thing('checkout.session', this.seconds(), {
        ...{ mode, customer, metadata, client_reference_id, success_url, cancel_url },
        amount_total: amount,
        currency: item?.price_data.currency ?? null,
        expires_at: Number(expires),
      }),
    );
    return Object.assign(session, { url: `${this.url}/pay/${session.id}` });
  }

  private transfer(fields: Query): Thing {
    const made = this.put(thing('transfer', this.seconds(), { ...fields, amount: Number(fields.amount) }));
    this.book(made, 0);
    return made;
  }

  private openAccount({ country, metadata, capabilities }: Query): Thing {
    if (country === 'KP') refuse(400, { param: 'country', message: 'KP is not supported.' });
    if ((capabilities as Record<string, unknown> | undefined)?.transfers === undefined) refuse(400, {});
    return this.put(thing('account', this.seconds(), { country, metadata }));
  }

  // A link is no thing of its own: it has no name and is used once.
  private linkTo({ account, type, return_url: back, refresh_url: again }: Query): unknown {
    if (type !== 'account_onboarding' || !back || !again) refuse(400, { param: 'type' });
    const { id } = this.get(account as string);
    const [created, url] = [this.seconds(), `${this.url}/setup/${id}/${this.calls.length}`];
    return { object: 'account_link', created, expires_at: created + 5 * minute, url };
  }

  private charge(fields: Query): Thing {
    const { amount, currency, customer, payment_method: method, metadata, description = null } = fields;
    if (!(Number(amount) >= 30)) refuse(400, { code: 'amount_too_small' });
    const held = this.get(method as string);
    if (held.customer !== customer) refuse(400, { message: 'The payment method is not of this customer.' });
    const behaviour = held.behaviour as Card;
    const intent = this.put(
      thing('payment_intent', this.seconds(), {
        ...{ currency, customer, metadata, description, payment_method: method },
        amount: Number(amount),
        status: 'requires_confirmation',
      }),
    );
    if (behaviour === 'declined-later' || behaviour === 'authentication-later') {
      const code = behaviour === 'declined-later' ? 'card_declined' : 'authentication_required';
      const error = this.decline(intent, code, behaviour === 'declined-later' ? 'insufficient_funds' : code);
      refuse(402, { ...error, payment_intent: structuredClone(intent) });
    }
    this.succeed(intent, behaviour);
    return intent;
  }

  private refund(fields: Query): Thing {
    const { payment_intent: intent, metadata } = fields;
    const held = this.get(intent as string);
    const charge = this.get((held.latest_charge as string | null) ?? '');
    const amount = Number(fields.amount);
    if (charge.disputed) refuse(400, { code: 'charge_disputed', message: 'The charge was disputed.' });
    if (amount + Number(charge.amount_refunded) > Number(charge.amount))
      refuse(400, { code: 'charge_already_refunded' });
    charge.amount_refunded = Number(charge.amount_refunded) + amount;
    const { currency } = held;
    const made = this.put(
      thing('refund', this.seconds(), { amount, currency, metadata, payment_intent: intent, charge: charge.id }),
    );
    this.book(made, this.fees.refund);
    this.tell('refund.created', made);
    return made;
  }
}

/** Has the program take payments at a server that behaves like Stripe, for the tests of a file. */
export function onStripe(): StripeServer {
  const server = new StripeServer();
  const before = { ...process.env };
  beforeAll(async () => {
    await server.open();
    Object.assign(process.env, {
      STRIPE_SECRET_KEY: server.key,
      STRIPE_WEBHOOK_SECRET: server.secret,
      STRIPE_API_BASE: server.url,
    });
  });
  afterAll(async () => {
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE'])
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    await server.close();
  });
  return server;
}
