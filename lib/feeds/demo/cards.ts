import type { RunnerCard } from '@/lib/fixtures/schema';
import type { Entrant } from './models/race';
import { players } from './names';
import { randomFrom } from './random';

const jockeys = 40;
const trainers = 24;
const lightest = 114;
const weightsOfHandicap = 26;
const levelWeight = 128;

/** What the race card says of each runner of a race, in the order given: who rides and trains it, and of horses the weight, more for the better in a handicap, and the draw; nothing in other sports. */
export function runnerCards(
  seed: string,
  sourceId: string,
  sportReference: string,
  entrants: readonly Entrant[],
  handicap: boolean,
): RunnerCard[] {
  const isHorses = sportReference === 'horse-racing';
  if (!isHorses && sportReference !== 'greyhounds') return [];
  const stables = players(randomFrom(seed, sportReference, 'trainers'), trainers);
  const trainerOf = (name: string) => randomFrom(seed, sportReference, name, 'trainer').pick(stables);
  if (!isHorses) return entrants.map(({ name }) => ({ trainer: trainerOf(name) }));
  const random = randomFrom(seed, sourceId, 'card');
  const riders = random.shuffled(players(randomFrom(seed, sportReference, 'jockeys'), jockeys));
  const draws = random.shuffled(entrants.map((_, index) => index + 1));
  const best = Math.max(...entrants.map(({ share }) => share));
  return entrants.map(({ name, share }, index) => ({
    jockey: riders[index] ?? '',
    trainer: trainerOf(name),
    weightPounds: handicap
      ? lightest + Math.round(weightsOfHandicap * Math.sqrt(share / best))
      : levelWeight - (randomFrom(seed, name, 'allowance').chance(0.4) ? 3 : 0),
    draw: draws[index] ?? index + 1,
  }));
}
