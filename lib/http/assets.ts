import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { log } from '@/lib/platform/log';
import { refuse } from './refusal';
import { bareContentSecurityPolicy, securityHeaders } from './security-headers';
import { routes } from '@/lib/routes';
import { speculationRules } from './speculation-rules';
import { StoredAnswer } from './stored-answer';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

const forever = 'public, max-age=31536000, immutable';
// Their names stay when they change.
const forADay = 'public, max-age=86400, stale-while-revalidate=604800';
const noCache = 'no-cache';

const worker = /^\/(?:sw|(?:workbox|worker|fallback)-[^/]*)\.js$/;

type Asset = {
  file: string;
  mediaType: string;
  cacheControl: string;
  answer: Promise<StoredAnswer> | null;
  ready: StoredAnswer | null;
};

function* filesIn(folder: string): Generator<string> {
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        yield path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const packageMark = 'tipledger.mjs';

/** The builds of other releases, which lie beside this one: in the folder of builds, or in the packages beside this package. */
function otherBuilds(built: string): string[] {
  const folder = path.dirname(built);
  if (path.basename(folder) === 'builds')
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== path.basename(built) && !entry.name.endsWith('.new'))
      .map(({ name }) => path.join(folder, name));
  if (!existsSync(path.join(folder, packageMark))) return [];
  const releases = path.dirname(folder);
  return (
    readdirSync(releases)
      .map((name) => path.join(releases, name))
      // What is written last: without it a package is not whole.
      .filter((release) => release !== folder && existsSync(path.join(release, packageMark)))
      .map((release) => path.join(release, path.basename(built)))
  );
}

const lookAgainMilliseconds = 1_000;

/** The files that a build leaves to be sent as they are, from memory and compressed, and the scripts and styles of the releases before and after it that lie beside it. */
export class Assets {
  readonly #assets = new Map<string, Asset>();
  readonly #compressed: string;
  readonly #built: string;
  readonly #taken = new Set<string>();
  #lookedAt = 0;

  /** Takes in `_next/static` of the build and of those kept beside it, and the public files; `compressed` is the folder in which the build left the smallest bytes of the texts among them, by the SHA-256 of their content. */
  constructor({ built, shown, compressed }: { built: string; shown: string; compressed: string }) {
    this.#compressed = compressed;
    this.#built = built;
    this.#takeReleases();
    // What the build made itself of these counts, not what a later one has put into the folder of all.
    for (const folder of [shown, path.join(built, 'public')])
      for (const name of filesIn(folder))
        this.#add(`/${name}`, path.join(folder, name), worker.test(`/${name}`) ? noCache : forADay);
    const rules = this.#answerOf(Buffer.from(speculationRules), 'application/speculationrules+json', noCache);
    this.#assets.set(routes.speculationRules(), {
      file: '',
      mediaType: '',
      cacheControl: noCache,
      answer: Promise.resolve(rules),
      ready: rules,
    });
  }

  /** Answers a request for one of the files; false, with nothing sent, when it is for something else. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const asset = this.#find(nameIn(request.url ?? ''));
    if (asset === undefined) return false;
    if (asset.ready?.sendNow(request, response)) return true;
    this.#read(asset)
      .then((answer) => answer.send(request, response))
      .catch((error: unknown) => {
        log.error({ event: 'server_error', status: 500, method: request.method, path: request.url, err: error });
        if (response.headersSent) response.destroy();
        else refuse(response, 500, 'Internal Server Error');
      });
    return true;
  }

  #find(name: string): Asset | undefined {
    const asset = this.#assets.get(name);
    const now = performance.now();
    if (asset || !name.startsWith('/_next/static/') || now - this.#lookedAt < lookAgainMilliseconds) return asset;
    this.#lookedAt = now;
    this.#takeReleases();
    return this.#assets.get(name);
  }

  /** Pages of other releases are still open, or sent by instances that were replaced before this one or will be after it; names change with their content. */
  #takeReleases(): void {
    for (const build of [...otherBuilds(this.#built), this.#built].filter((each) => !this.#taken.has(each))) {
      this.#taken.add(build);
      for (const name of filesIn(path.join(build, 'static')))
        this.#add(`/_next/static/${name}`, path.join(build, 'static', name), forever);
    }
  }

  #add(url: string, file: string, cacheControl: string): void {
    const mediaType = mediaTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
    this.#assets.set(url, { file, mediaType, cacheControl, answer: null, ready: null });
  }

  #answerOf(body: Buffer, mediaType: string, cacheControl: string): StoredAnswer {
    // A policy on a script would bind the worker that it may be.
    const policy = mediaType.startsWith('text/javascript')
      ? []
      : [['content-security-policy', bareContentSecurityPolicy] as const];
    return new StoredAnswer({
      status: 200,
      mediaType,
      headers: [['cache-control', cacheControl], ['vary', 'Accept-Encoding'], ...policy, ...securityHeaders()],
      body,
    });
  }

  #read(asset: Asset): Promise<StoredAnswer> {
    asset.answer ??= this.#answerTo(asset).then(
      (answer) => (asset.ready = answer),
      (error: unknown) => {
        asset.answer = null;
        throw error;
      },
    );
    return asset.answer;
  }

  async #answerTo({ file, mediaType, cacheControl }: Asset): Promise<StoredAnswer> {
    const answer = this.#answerOf(await readFile(file), mediaType, cacheControl);
    const smallest = await readFile(
      path.join(this.#compressed, `${createHash('sha256').update(answer.body).digest('hex')}.br`),
    ).catch(() => undefined);
    if (smallest) await answer.improve(smallest);
    return answer;
  }
}

function nameIn(url: string): string {
  const [name = ''] = url.split('?', 1);
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
