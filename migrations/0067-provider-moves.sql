-- compatible from 0035
-- What a provider changes of our money by no payment: fees by themselves, what goes to the bank of the site and comes from there, and what it exchanges, which stands in an
-- account where the currencies meet. Each currency of a posting comes to nothing.
alter table money_account drop constraint money_account_kind_check;
alter table money_account add constraint money_account_kind_check
  check (kind in ('clearing', 'fees', 'exchange', 'bank', 'tax', 'platform', 'held', 'payable', 'affiliate-held', 'affiliate-payable', 'refunds', 'chargebacks', 'payouts', 'pro'));
alter table posting drop constraint posting_kind_check;
alter table posting add constraint posting_kind_check
  check (kind in ('sale', 'release', 'refund', 'refunded', 'chargeback', 'payout', 'paid-out', 'payout-failed', 'correction', 'share', 'share-back', 'affiliate', 'affiliate-back', 'affiliate-release', 'fee', 'exchange', 'bank'));

-- Until when all was reconciled with a provider: from there the next reconciliation goes on.
create table reconciliation (
  provider text primary key,
  reconciled_until timestamptz not null
);
