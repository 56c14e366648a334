/** Where a text stops being JSON: the offset and what should stand there. */
export type JsonFault = { offset: number; expected: string };

/** What a scan finds: the first fault, or none and the offsets at which the elements of the wanted array begin. */
export type JsonScan = { fault: JsonFault | null; elements: number[] };

type Frame = { kind: 'object'; key: string | null } | { kind: 'array' };
type State = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next' | 'end';

const expectedBy: Record<State, string> = {
  value: 'a value',
  'first value': 'a value or ]',
  key: 'a name in quotation marks',
  'first key': 'a name in quotation marks or }',
  colon: 'a colon',
  next: 'a comma or the end of the object or list',
  end: 'the end of the file',
};

const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/**
 * Reads through a JSON text without recursion, however deep it nests, and notes where each element of the array stands that the
 * top-level object holds under `arrayKey`: JSON.parse keeps no positions, and Node's errors do not always name one.
 */
export function scanJson(text: string, arrayKey: string): JsonScan {
  const frames: Frame[] = [];
  let elements: number[] = [];
  let state: State = 'value';
  let offset = skipSpace(text, 0);
  const isWanted = (depth: number) =>
    frames.length === depth && frames[0]?.kind === 'object' && frames[0].key === arrayKey;
  while (offset < text.length || state !== 'end') {
    const fault = { offset, expected: expectedBy[state] };
    const character = text.charAt(offset);
    const top = frames.at(-1);
    let after = offset + 1;
    if (state === 'next' && character === ',') {
      state = top?.kind === 'object' ? 'key' : 'value';
    } else if (closes(character, state, top)) {
      frames.pop();
      state = frames.length > 0 ? 'next' : 'end';
    } else if (state === 'colon' && character === ':') {
      state = 'value';
    } else if ((state === 'key' || state === 'first key') && character === '"') {
      const close = endOfString(text, offset);
      if (typeof close !== 'number') return { fault: close, elements };
      if (top?.kind === 'object') top.key = frames.length === 1 ? String(JSON.parse(text.slice(offset, close))) : null;
      after = close;
      state = 'colon';
    } else if (state === 'value' || state === 'first value') {
      if (isWanted(2) && top?.kind === 'array') elements.push(offset);
      if (character === '{') {
        frames.push({ kind: 'object', key: null });
        state = 'first key';
      } else if (character === '[') {
        if (isWanted(1)) elements = [];
        frames.push({ kind: 'array' });
        state = 'first value';
      } else {
        const end = character === '"' ? endOfString(text, offset) : endOfLiteral(text, offset);
        if (typeof end !== 'number') return { fault: end ?? fault, elements };
        after = end;
        state = frames.length > 0 ? 'next' : 'end';
      }
    } else {
      return { fault, elements };
    }
    offset = skipSpace(text, after);
  }
  return { fault: null, elements };
}

function closes(character: string, state: State, top: Frame | undefined): boolean {
  if (top?.kind === 'object') return character === '}' && (state === 'next' || state === 'first key');
  return top?.kind === 'array' && character === ']' && (state === 'next' || state === 'first value');
}

function skipSpace(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && ' \t\r\n'.includes(text.charAt(offset))) offset += 1;
  return offset;
}

function endOfLiteral(text: string, from: number): number | null {
  literal.lastIndex = from;
  return literal.test(text) ? literal.lastIndex : null;
}

function endOfString(text: string, from: number): number | JsonFault {
  for (let offset = from + 1; offset < text.length; offset += 1) {
    const character = text.charAt(offset);
    if (character === '"') return offset + 1;
    if (character < ' ') return { offset, expected: 'a printable character or the closing quotation mark' };
    if (character === '\\') {
      const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(offset, offset + 6));
      if (!escape) return { offset, expected: 'an escape such as \\n or \\u00e9' };
      offset += escape[0].length - 1;
    }
  }
  return { offset: text.length, expected: 'the closing quotation mark' };
}
