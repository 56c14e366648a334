import { footballClubs } from '@/lib/fixtures/rules';
import { canonicalParticipant } from '@/lib/fixtures/rules/participant-names';
import { slug } from '@/lib/reference/rules';

describe('the one name of a participant', () => {
  test.each([
    ['Liverpool FC', 'Liverpool'],
    ['AFC Bournemouth', 'Bournemouth'],
    ['Sunderland AFC', 'Sunderland'],
    ['Wolverhampton Wanderers FC', 'Wolves'],
    ["Nott'm Forest", 'Nottingham Forest'],
    ['Nott’m Forest', 'Nottingham Forest'],
    ['Nottingham Forest FC', 'Nottingham Forest'],
    ['Man United', 'Manchester United'],
    ['Newcastle United FC', 'Newcastle United'],
    ['Brighton & Hove Albion FC', 'Brighton'],
    ['West Ham', 'West Ham United'],
    ['QPR', 'QPR'],
    ['Queens Park Rangers FC', 'QPR'],
    ['Queens Park', "Queen's Park"],
    ['Sheffield Weds', 'Sheffield Wednesday'],
    ['Heart of Midlothian FC', 'Hearts'],
    ['AFC Wimbledon', 'AFC Wimbledon'],
    ['Paris FC', 'Paris FC'],
    ['Paris SG', 'Paris Saint-Germain'],
    ['Bayern München', 'Bayern Munich'],
    ['1. FC Köln', 'Cologne'],
    ['Atlético Madrid', 'Atlético Madrid'],
    ['Ath Madrid', 'Atlético Madrid'],
    ['FC Internazionale Milano', 'Inter'],
    ['Inter Milan', 'Inter'],
    ['FSV Mainz 05', 'Mainz'],
    ['Inter Miami CF', 'Inter Miami'],
    ['  Northwick   Town FC ', 'Northwick Town'],
    ['AFC', 'AFC'],
    ['FC Dallas', 'FC Dallas'],
  ])('%s is %s', (name, expected) => {
    expect(canonicalParticipant('football', name)).toBe(expected);
  });

  test('is its own name again', () => {
    const changed = Object.keys(footballClubs).filter((club) => canonicalParticipant('football', club) !== club);
    expect(changed).toEqual([]);
  });

  test('stands for one club only', () => {
    const all = Object.entries(footballClubs).flatMap(([club, aliases]) => [...new Set([club, ...aliases].map(slug))]);
    expect(all.filter((name, place) => all.indexOf(name) < place)).toEqual([]);
  });

  test('of another sport is the source’s', () => {
    expect(canonicalParticipant('tennis', ' Leeds  FC ')).toBe('Leeds FC');
  });
});
