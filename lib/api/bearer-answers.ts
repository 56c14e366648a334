import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectReads, everything, onForgotten, Reads } from '@/lib/platform/cache';
import { TaggedEntries } from '@/lib/platform/tagged-entries';
import { noteCacheUse } from '@/lib/http/request-end';
import { bareContentSecurityPolicy, securityHeaders } from '@/lib/http/security-headers';
import type { Answer } from './answer';

const mostAnswers = 10_000;

type Kept = { bytes: Buffer; headers: string[]; tags: ReadonlySet<string>; expiresAt: number };

const keyOf = ({ url, headers }: IncomingMessage) => `${url} ${headers.authorization}`;

/**
 * 0071: the answers of calls that are kept for the bearer that asked, so that the call that every page of a member makes reads nothing while
 * nothing of it changed. A token that runs out, is signed out of or whose account changed gets nothing that is kept.
 */
export class BearerAnswers {
  readonly #answers = new TaggedEntries<Kept>({ max: mostAnswers });

  constructor() {
    onForgotten((tag) => (tag === null || tag === everything ? this.#answers.clear() : this.#answers.drop(tag)));
  }

  /** Answers from what is kept for this bearer; false, with nothing sent, when there is nothing, and to who wants it anew: told of a change elsewhere, they may ask before this instance was. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || request.headers['cache-control'] === 'no-cache') return false;
    const kept = this.#answers.get(keyOf(request));
    if (kept === undefined || kept.expiresAt <= performance.now()) return false;
    noteCacheUse(response, 'hit');
    response.writeHead(200, kept.headers);
    response.end(kept.bytes);
    return true;
  }

  /** What `run` answers, kept for the bearer when it is good and nothing that it read was forgotten meanwhile. */
  async answerOf(request: IncomingMessage, run: () => Promise<Answer>): Promise<Answer> {
    const reads = new Reads();
    const answer = await collectReads(reads, run);
    const { status, headers, body } = answer;
    const isWhole = status === 200 && typeof body === 'string' && reads.tags.size > 0;
    if (!isWhole || request.method !== 'GET' || (request.url ?? '').includes('?') || !reads.isCurrent) return answer;
    const bytes = Buffer.from(body);
    this.#answers.set(keyOf(request), {
      bytes,
      headers: [...headers, ['content-length', String(bytes.length)], ...ownHeaders()].flat(),
      tags: reads.tags,
      expiresAt: reads.expiresAt,
    });
    return answer;
  }
}

const ownHeaders = () => [['content-security-policy', bareContentSecurityPolicy], ...securityHeaders()];
