-- compatible from 0035
-- The total odds of a multiple outgrow an integer; they are whole thousandths up to 10^12, which a double holds exactly and every release reads as a number.
alter table autobet alter column odds_thousandths type double precision;
