import { ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { cache } from 'react';
import { CheckpointFacts } from '@/components/record/checkpoint-facts';
import { EntryList } from '@/components/record/entry-list';
import { InclusionProofs } from '@/components/record/inclusion-proofs';
import { LogFacts } from '@/components/record/log-facts';
import { VerifierPlace } from '@/components/record/verifier-place';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { ZoneName } from '@/components/formats/zone-name';
import { Term } from '@/components/ui/term';
import { hasFindings } from '@/lib/audit/queries';
import { orNotFound, pageMetadata, single } from '@/lib/pages/page';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { formatCount } from '@/lib/format';
import { env } from '@/lib/platform/env';
import { hasDemoPortfolios } from '@/lib/portfolios/queries';
import { getCheckpoints, listNewestEntries, proveTip } from '@/lib/record/queries';
import { callAddress } from '@/lib/calls';
import { parseNote } from '@/lib/record/rules';
import { routes } from '@/lib/routes';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type LedgerPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const newestShown = 25;

const readTip = cache((tip: string) => orNotFound(proveTip(tip)));

export async function generateMetadata({ searchParams }: LedgerPageProps): Promise<Metadata> {
  const tip = single((await searchParams).tip);
  if (tip !== undefined) await readTip(tip);
  return pageMetadata({
    title: tip === undefined ? 'The record: every tip, in public' : `Tip ${tip} on the record`,
    description:
      tip === undefined
        ? 'Every tip, settlement and correction in the order in which it was recorded, chained by hashes and signed, for anyone to verify.'
        : `What the public record says of the tip ${tip}, with proofs up to the signed checkpoint that your browser can verify.`,
    path: routes.ledger({ tip }),
    index: tip === undefined,
  });
}

export default async function LedgerPage({ searchParams }: LedgerPageProps) {
  const tip = single((await searchParams).tip) ?? null;
  const [proved, newest, { checkpoints, log }, isDemo, differs] = await Promise.all([
    tip === null ? null : readTip(tip),
    listNewestEntries(newestShown),
    getCheckpoints(),
    hasDemoPortfolios(),
    hasFindings(),
  ]);
  const checkpoint = checkpoints.at(-1);
  const entries = proved ? proved.entries.map(({ entry }) => entry) : newest.items;
  const command = `npm run ledger:verify -- ${env().siteUrl}`;
  const witnesses =
    (log && parseNote(log.note)?.signatures.flatMap(({ name }) => (name === log.origin ? [] : [name]))) ?? [];
  return (
    <Markup>
      <Breadcrumb
        trail={[
          { href: routes.home(), title: 'Home' },
          ...(tip === null ? [] : [{ href: routes.ledger(), title: 'The record' }]),
        ]}
        here={tip === null ? 'The record' : `Tip ${tip}`}
      />
      <header className={styles.lead}>
        <h1>{tip === null ? 'The record' : `Tip ${tip} on the record`}</h1>
        <p>
          {isDemo && <Badge tone="notice">Demo data</Badge>} Every tip is written down before the start, at a price that
          was on offer, and what is written is never changed or deleted. You do not have to take our word for it: the
          record is public, and your own browser can check it.
        </p>
        {differs && (
          <p>
            <Badge tone="notice">Differs</Badge> Our own audit found something in the database that differs from the
            record. What the record says stands; what other pages show may be wrong until staff have looked into it.
          </p>
        )}
      </header>

      <section aria-labelledby="verify">
        <SectionHeading id="verify">Verify it yourself</SectionHeading>
        <div className={styles.verify}>
          <p>
            {tip === null
              ? 'The button downloads every entry and recomputes every hash, every tip’s history and every signature in this browser. This site only supplies the entries. It compares them with the checkpoint that this browser keeps from earlier visits, too.'
              : 'The button downloads the entries of this tip, recomputes their hashes and follows their proofs up to the signed checkpoint, in this browser, and compares that with the one that this browser keeps from earlier visits.'}
          </p>
          {newest.total > 0 && <VerifierPlace tip={tip} total={proved ? entries.length : newest.total} />}
          <noscript>
            <p>
              Scripts are off in this browser, so it cannot verify the record here. The command below does the same.
            </p>
          </noscript>
          <p>
            From a copy of the source code, one command verifies the whole record, or an export of it named in place of
            the address:
          </p>
          <pre className={styles.command} tabIndex={0} role="region" aria-label="Command">
            <code>{command}</code>
          </pre>
        </div>
      </section>

      <section aria-labelledby="entries">
        <SectionHeading id="entries" aside={formatCount(proved ? entries.length : newest.total, 'entry', 'entries')}>
          {tip === null ? 'Newest entries' : 'Entries of this tip'}
        </SectionHeading>
        {entries.length > 0 ? (
          <EntryList
            caption={tip === null ? 'Newest entries, newest first' : 'Entries of this tip, oldest first'}
            entries={entries}
            timeZone={defaultView.timeZone}
            oddsDisplay={defaultView.oddsDisplay}
          />
        ) : (
          <EmptyState icon={<Icon of={ScrollText} size="large" />} title="Nothing is recorded yet">
            The first tip that is published here becomes entry 1.
          </EmptyState>
        )}
        {entries.length > 0 && (
          <p className={styles.key}>
            Times are <ZoneName name={defaultView.timeZoneName} />. A <Term of="sealed-tip">sealed tip</Term> is
            members-only or hidden: its <Term of="hash">hash</Term> is recorded before the start, its content opened
            after.
          </p>
        )}
      </section>

      {proved && (
        <section aria-labelledby="proofs">
          <SectionHeading id="proofs">Proof that they are in the log</SectionHeading>
          <InclusionProofs tip={proved.tip} checkpoint={proved.checkpoint} entries={proved.entries} />
        </section>
      )}

      <section aria-labelledby="checkpoint" className={styles.checkpoint}>
        <SectionHeading id="checkpoint">
          Latest <Term of="checkpoint">checkpoint</Term>
        </SectionHeading>
        {checkpoint ? (
          <>
            <p className={styles.key}>Keep a copy: every later record must still agree with it, or it was rewritten.</p>
            <CheckpointFacts checkpoint={checkpoint} timeZone={defaultView.timeZone} />
            {log && <LogFacts origin={log.origin} vkeys={log.vkeys} witnesses={witnesses} />}
          </>
        ) : (
          <p className={styles.key}>None has been signed yet. One is signed within a minute of a new entry.</p>
        )}
      </section>

      <section aria-labelledby="why">
        <SectionHeading id="why">Why you can trust it</SectionHeading>
        <dl className={styles.reasons}>
          <div>
            <dt>What is recorded</dt>
            <dd>
              Each publication with its selections, bookmakers, prices and stake; each settlement with the rule that
              decided it; each correction with its reason. The reasoning of a tip is in it as a hash, so that it cannot
              be reworded later.
            </dd>
          </div>
          <div>
            <dt>
              Each entry of the <Term of="ledger">ledger</Term> seals the one before
            </dt>
            <dd>
              An entry’s hash (SHA-256) is made from its content and from the hash of the entry before. Change one and
              every later hash is wrong.
            </dd>
          </div>
          <div>
            <dt>Losers cannot be hidden</dt>
            <dd>
              Entries are numbered, in the whole record and within each portfolio, so none can be left out. A sealed tip
              must be opened after its start, whether it won or lost, exactly as it was sealed.
            </dd>
          </div>
          <div>
            <dt>Checkpoints are signed</dt>
            <dd>
              A signature (Ed25519) over all entries so far fixes them, and how many entries each portfolio has. Whoever
              kept one checkpoint can show that an entry under it was altered. The record is served as a log (C2SP
              tlog-tiles) that public tools and witnesses read.
            </dd>
          </div>
          <div>
            <dt>What is not on it</dt>
            <dd>
              Posts, members’ own bets and who follows whom are not public entries. Of every change of these, and of
              starts, results and closing prices, the database keeps a digest that does not tell what it says;
              checkpoints sign the digests, and our own audit compares them with what is shown. You cannot check that
              part yourself.
            </dd>
          </div>
          <div>
            <dt>What it does not prove</dt>
            <dd>That a match really started or ended as recorded: compare starts and results with another source.</dd>
          </div>
        </dl>
      </section>

      <section aria-labelledby="found">
        <SectionHeading id="found">Who can detect what</SectionHeading>
        <dl className={styles.reasons}>
          <div>
            <dt>With nothing but the record</dt>
            <dd>
              An entry that was changed, left out, doubled or moved; a tip dated at or after its start; a sealed tip
              opened as something else; a settlement that does not follow from what it says; a portfolio whose end was
              cut off. What cannot be detected: a record that this site rewrote and signed again as a whole, and one
              that ends at an older checkpoint.
            </dd>
          </div>
          <div>
            <dt>With a checkpoint that you kept</dt>
            <dd>
              Also a record that was rewritten: whatever was under your checkpoint must still be there, in the whole
              record, in the export of one portfolio and under every proof. Your browser keeps the last checkpoint that
              it saw here and compares it each time you come back.
            </dd>
          </div>
          <div>
            <dt>With a witness</dt>
            <dd>
              Also different records shown to different people. A witness signs a checkpoint only if it continues from
              the last one it signed, so that everyone who asks for its signature sees the same record. Anyone can run
              one: <code>npm run witness</code>.
            </dd>
          </div>
          <div>
            <dt>What nobody can detect here</dt>
            <dd>
              Entries after the newest checkpoint are not signed yet: for up to a minute they depend on this site alone.
              And no record says whether a match really ended as it was recorded.
            </dd>
          </div>
        </dl>
      </section>

      <section aria-labelledby="take">
        <SectionHeading id="take">Download it</SectionHeading>
        <p className={styles.key}>
          Each file holds the whole record and can be verified on its own. The record of one portfolio is at{' '}
          {routes.portfolioLedger('…')}, with the portfolio’s reference, and its proofs are at{' '}
          {decodeURI(callAddress('GET /log/proof/portfolio/{reference}', { params: { reference: '…' } }))}.
        </p>
        <ul className={styles.exports}>
          <li>
            <a href={callAddress('GET /ledger/export', { query: { format: 'csv' } })}>CSV, for spreadsheets</a>
          </li>
          <li>
            <a href={callAddress('GET /ledger/export', { query: { format: 'json' } })}>JSON, one object</a>
          </li>
          <li>
            <a href={callAddress('GET /ledger/export', { query: { format: 'ndjson' } })}>
              NDJSON, an entry on each line
            </a>
          </li>
        </ul>
      </section>
    </Markup>
  );
}
