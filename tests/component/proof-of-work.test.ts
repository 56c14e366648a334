import { makeProofOfWork } from '@/components/account/proof-of-work';

const api = jest.fn();

jest.mock('@/components/state/api', () => ({ api: (...given: unknown[]) => api(...given) as unknown }));
jest.mock('altcha-lib', () => ({ solveChallenge: async () => ({ number: 1 }) }));
jest.mock('altcha-lib/algorithms/web/pbkdf2', () => ({ deriveKey: () => undefined }));

const challengeIn = (proof: string) => (JSON.parse(atob(proof)) as { challenge: unknown }).challenge;

let asked = 0;
let now = 0;

beforeEach(() => {
  asked = 0;
  now = 0;
  api.mockReset();
  api.mockImplementation(async () => (asked += 1));
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  Object.defineProperty(globalThis.crypto, 'subtle', { value: {}, configurable: true });
});

afterEach(() => jest.restoreAllMocks());

it('is solved once however often it is prepared, and anew once it was given', async () => {
  const { prepare, take } = makeProofOfWork();
  prepare();
  prepare();
  expect(challengeIn(await take())).toBe(1);
  expect(challengeIn(await take())).toBe(2);
});

it('is solved at the press where it could not be before', async () => {
  api.mockRejectedValueOnce(new Error('The site cannot be reached.'));
  const { prepare, take } = makeProofOfWork();
  prepare();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(challengeIn(await take())).toBe(1);
});

it('says why where it cannot be solved at the press', async () => {
  api.mockRejectedValue(new Error('The site cannot be reached.'));
  await expect(makeProofOfWork().take()).rejects.toThrow('The site cannot be reached.');
});

it('is solved anew once it is fifteen minutes old, since the server takes it for twenty', async () => {
  const { prepare, take } = makeProofOfWork();
  prepare();
  now = 16 * 60_000;
  expect(challengeIn(await take())).toBe(2);
});
