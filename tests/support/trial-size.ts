/** The size of a trial: what the environment says, or the part that every run takes. Throws where it is no whole number above zero, with which a trial would pass without doing anything. */
export function trialSize(variable: string, usual: number): number {
  const given = process.env[variable];
  if (given === undefined) return usual;
  const size = Number(given);
  if (!Number.isSafeInteger(size) || size < 1)
    throw new Error(`${variable} must be a whole number above zero, not "${given}".`);
  return size;
}
