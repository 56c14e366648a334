import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const lib = path.join(process.cwd(), 'lib');
const faces = readdirSync(lib).flatMap((noun) =>
  ['schema', 'rules'].map((kind) => `${noun}/${kind}/index.ts`).filter((face) => existsSync(path.join(lib, face))),
);

test('there are faces', () => expect(faces.length).toBeGreaterThan(20));

test.each(faces)('%s loads where a browser has no more than a document', async (face) => {
  expect(Object.keys((await import(`@/lib/${face}`)) as object).length).toBeGreaterThan(0);
});
