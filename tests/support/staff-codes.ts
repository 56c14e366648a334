/** How many recovery codes each of staff has on the sites of the tests, enough for every sign-in of a run. */
export const staffCodes = 2_000;

/** One of them, by its place. */
export const recoveryCodeAt = (place: number): string =>
  `${place}`
    .padStart(4, '0')
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
    .repeat(4);

/** One of them at random: each is good once. */
export const someRecoveryCode = (): string => recoveryCodeAt(Math.floor(Math.random() * staffCodes));
