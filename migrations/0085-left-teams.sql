-- compatible from 0035
-- What left Pro by staff kept its places in teams, and whoever was chosen in the moment in which it left got one: it counts until staff took it out, else for no time.
update pro_team set left_at = greatest(joined_at, coalesce(
  (select max(at) from staff_action where action = 'portfolio.leave-pro' and subject_kind = 'portfolio' and subject = portfolio.reference), joined_at))
from portfolio where portfolio.id = portfolio_id and left_at is null and not tipledger_pro;
