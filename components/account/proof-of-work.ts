import { api } from '../state/api';

/** Solves one challenge of the server after the other; `take` gives a proof that was not given before. */
export type ProofOfWork = {
  /** Begins to solve, so that the proof is there when the form is sent. */
  prepare: () => void;
  take: () => Promise<string>;
};

/** Product §3: proofs of work for the forms that robots would send. The work is done between frames; a browser without Web Cryptography cannot do it. */
export function makeProofOfWork(): ProofOfWork {
  let coming: Promise<string> | null = null;
  const prepare = () => {
    coming ??= solve();
    // Said when it is taken.
    coming.catch(() => undefined);
  };
  return {
    prepare,
    take: async () => {
      prepare();
      const proof = coming;
      coming = null;
      return proof ?? solve();
    },
  };
}

async function solve(): Promise<string> {
  if (!globalThis.crypto?.subtle)
    throw new Error('This browser can’t run our robot check. Use the site’s https address, or another browser.');
  const [challenge, { solveChallenge }, { deriveKey }] = await Promise.all([
    api('GET /account/challenge', { bearer: 'none' }),
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ]);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The robot check took too long. Send the form again.');
  return btoa(JSON.stringify({ challenge, solution }));
}
