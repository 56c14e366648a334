import { makeTamperWorld, tamper, type Trial } from '../../support/tampers';
import { trialSize } from '../../support/trial-size';
import { verifyRecords } from './ledger';

jest.setTimeout(300_000);

const trials = trialSize('TAMPERS', 250);

it('what the operator signed anew is found by nobody who kept nothing and asks no witness', async () => {
  const { honest, forged } = await makeTamperWorld();
  expect(forged.length).toBeGreaterThan(5);
  for (const { views } of [honest, ...forged])
    for (const { whole, portfolio } of views)
      for (const records of [whole, portfolio]) expect((await verifyRecords(records)).ok).toBe(true);
});

it(`an alteration is found by who kept one checkpoint or asks one witness, in ${trials} of every kind`, async () => {
  const world = await makeTamperWorld();
  const made: Trial[] = [];
  for (let number = 0; number < trials; number += 1) made.push(await tamper(world, number));
  expect(made.flatMap(({ kind, outcome }, number) => (outcome === 'missed' ? [`${number}: ${kind}`] : []))).toEqual([]);
  expect(new Set(made.map(({ kind }) => kind)).size).toBeGreaterThan(30);
  expect(made.filter(({ outcome }) => outcome === 'harmless').length).toBeLessThan(trials / 3);
});
