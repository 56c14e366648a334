import Sequencer from '@jest/test-sequencer';

// Those that wait for programs to start and die, or reckon very much. Begun last, one of them would run on alone.
const long = [
  'domain/guards',
  'api/access.test',
  'domain/backup',
  'api/write-pairs',
  'domain/crash',
  'api/hostile-texts',
  'embedded-postgres',
  'domain/demo.test',
  'import-command',
  'database-faults',
  'season-tips',
  'record/tampers',
  'start-faults',
  'domain/autobets',
  'embedded-orphans',
  'site-comparison',
  'domain/stripe',
  'accounts-login',
  'settlement-runners',
  'season.test',
];

const place = ({ path }) => {
  const found = long.findIndex((name) => path.includes(name));
  return found < 0 ? long.length : found;
};

/** Runs the long test files first, the others in the order that Jest has for them: also on a machine where nothing has been timed yet. */
export default class LongFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => place(one) - place(other));
  }
}
