import { remedyFor } from '@/lib/platform/embedded-postgres/refusal';

test.each([
  ['initdb: could not look up effective user ID 12345: user does not exist', /a user that has a name/],
  ['FATAL: could not write lock file: No space left on device', /Free some space/],
  ['FATAL: something else', /Mend what it says/],
  ['', /See that its disk/],
])('what PostgreSQL says (%s) comes with what to do', (said, remedy) => {
  expect(remedyFor(said)).toMatch(remedy);
});
