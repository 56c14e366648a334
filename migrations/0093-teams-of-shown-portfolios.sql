-- compatible from 0035
-- A portfolio that staff hid once and showed again, and that its owner then made another kind, lost its places in teams by 0087 at the moment of that old hide: they count until 0087, as those of other owners do.
update pro_team set left_at = applied.applied_at
from portfolio, migration applied, lateral (
  select max(at) as at from staff_action
  where action = 'portfolio.hide' and subject_kind = 'portfolio' and subject = portfolio.reference and at < applied.applied_at
) hide
where portfolio.id = portfolio_id and applied.name like '0087-%' and joined_at < applied.applied_at and left_at = greatest(joined_at, hide.at)
  and exists (select from staff_action where action = 'portfolio.show' and subject_kind = 'portfolio' and subject = portfolio.reference and at > hide.at and at < applied.applied_at);
