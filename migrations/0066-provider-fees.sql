-- compatible from 0035
-- What a provider keeps for itself of what it moves is booked from its clearing account to its fees, once for each of its own transactions.
alter table posting drop constraint posting_kind_check;
alter table posting add constraint posting_kind_check
  check (kind in ('sale', 'release', 'refund', 'refunded', 'chargeback', 'payout', 'paid-out', 'payout-failed', 'correction', 'share', 'share-back', 'affiliate', 'affiliate-back', 'affiliate-release', 'fee'));
create index posting_fee on posting (at) where kind = 'fee';
