/** Does what a button is for once for a double click, whose second press would undo it, do it again or press what has come in its place. A press by key or script counts nothing. */
export function singlePress(act: () => void): (event: { detail: number }) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}
