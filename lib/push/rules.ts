import type { PushPayload } from './schema';

// Ours: what is left of the 4096 bytes that a push service takes (RFC 8291) with room for the encryption.
const longestPayload = 3_500;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** A payload as text, its body cut short where it would be too long for a push service. */
export function payloadText(payload: PushPayload): string {
  const text = JSON.stringify(payload);
  if (bytesOf(text) <= longestPayload) return text;
  let letters = [...payload.body];
  for (;;) {
    letters = letters.slice(0, Math.floor(letters.length * 0.9));
    const shorter = JSON.stringify({ ...payload, body: `${letters.join('')}…` });
    if (bytesOf(shorter) <= longestPayload || letters.length === 0) return shorter;
  }
}
