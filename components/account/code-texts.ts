/** What is said of a code for an address that anybody may have typed: never whether it has an account. */
export const codeTexts = {
  confirm:
    'If this address waits to be confirmed, a new code is on its way to it, five an hour at most. Only the newest works.',
  password: (address: string) =>
    `If ${address} has an account, a code is on its way to it, five an hour at most. It is valid for 10 minutes.`,
  anotherPassword: (address: string) =>
    `If ${address} has an account, a new code is on its way to it, five an hour at most. Only the newest works.`,
};
