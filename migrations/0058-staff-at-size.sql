-- compatible from 0035
-- What staff search and filter by, where reading everything took more than a tenth of a second at a million orders. Names and addresses are searched by their beginning in any collation.
create index if not exists account_username_begins on account (username text_pattern_ops);
create index if not exists account_email_begins on account (lower(email) text_pattern_ops);
create index if not exists customer_order_by_portfolio on customer_order (portfolio_id, id);
create index if not exists customer_order_by_status on customer_order (status, id);
create index if not exists payment_charged_back on payment (order_id) where status = 'disputed';
create index if not exists tip_settlement_by_staff on tip_settlement (tip_id) where actor <> 'system';
