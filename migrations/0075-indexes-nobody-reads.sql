-- compatible from 0035
-- Nothing looks up settlements by their moment, nor events by their tip, and no tip is ever deleted: both indexes were only written to, once for each settled tip.
drop index tip_settlement_settled;
drop index event_tip;
