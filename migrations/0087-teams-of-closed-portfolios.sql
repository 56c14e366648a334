-- compatible from 0035
-- A portfolio that staff hid, or that its owner made another kind, kept its places in teams: it counts until staff hid it, else until now.
update pro_team set left_at = greatest(joined_at, coalesce(
  (select max(at) from staff_action where action = 'portfolio.hide' and subject_kind = 'portfolio' and subject = portfolio.reference), now()))
from portfolio where portfolio.id = portfolio_id and left_at is null and visibility <> 2;
