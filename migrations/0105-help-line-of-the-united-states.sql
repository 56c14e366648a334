-- compatible from 0035
-- The number that was shipped belongs to another organisation than the one that is named; what staff have made of the line stays.
update help_line set telephone = '1-800-697-3738' where telephone = '1-800-426-2537' and revision = 0;
