import { SiteLink } from '@/components/ui/site-link';
import { callAddress } from '@/lib/calls';
import { routes } from '@/lib/routes';
import styles from './why-trust.module.scss';

type WhyTrustProps = { reference: string; isPersonal: boolean; isOnRecord: boolean };

/** What keeps a portfolio's tips from being changed, and how anyone can check that: by its entries, once it has one on the record. */
export function WhyTrust({ reference, isPersonal, isOnRecord }: WhyTrustProps) {
  if (isPersonal)
    return (
      <p className={styles.why}>
        Its tips were taken before the start at prices on offer and cannot be changed, as everywhere here. A personal
        portfolio is not on the public record, so nobody else can check it.
      </p>
    );
  return (
    <p className={styles.why}>
      Each tip {isOnRecord ? 'was' : 'is'} recorded before its first start, at a price that a bookmaker offered at that
      moment, and chained to every entry before it. Nobody can change or delete one, and anyone can check:{' '}
      <SiteLink href={routes.ledger()}>verify the record in your browser</SiteLink>
      {isOnRecord ? (
        <>
          , or take this portfolio’s entries as <a href={routes.portfolioLedger(reference, { format: 'csv' })}>CSV</a>{' '}
          or <a href={routes.portfolioLedger(reference, { format: 'json' })}>JSON</a>, or their proofs{' '}
          <a href={callAddress('GET /log/proof/portfolio/{reference}', { params: { reference } })}>to check offline</a>.
        </>
      ) : (
        '. Once this portfolio’s first tip is published, you can take its entries from here, too.'
      )}
    </p>
  );
}
