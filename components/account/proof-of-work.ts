import { api } from '../state/api';

// The server takes a proof for 20 minutes from when it was asked for; a device may sleep meanwhile (0118).
const freshMilliseconds = 15 * 60_000;

/** Solves one challenge of the server after the other; `take` gives a proof that was not given before. */
export type ProofOfWork = {
  /** Begins to solve, so that the proof is there when the form is sent. */
  prepare: () => void;
  take: () => Promise<string>;
};

/** Product §3: proofs of work for the forms that robots would send. The work is done between frames; a browser without Web Cryptography cannot do it. */
export function makeProofOfWork(): ProofOfWork {
  let coming: Promise<string> | null = null;
  let since = 0;
  const prepare = () => {
    if (coming && Date.now() - since < freshMilliseconds) return;
    const solving = solve();
    since = Date.now();
    coming = solving;
    // The next one to want a proof begins anew, and is told why when it fails again.
    solving.catch(() => {
      if (coming === solving) coming = null;
    });
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
