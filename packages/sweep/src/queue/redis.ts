import type { Redis } from 'ioredis';
import { PliantError } from 'pliant';
import { codeVersion } from '../hash.js';

/** Prefix of all keys in Redis. */
export const PREFIX = 'pliant';

/**
 * Name of the queue for jobs of this version; jobs that bring code have a queue of their own. Workers of other versions listen to other queues, so that no result of another version can
 * come back.
 */
export const queueName = (runsCode: boolean): string => `sweep-${codeVersion()}${runsCode ? '-code' : ''}`;

/** Key of a file's content, by its hash. */
export const fileKey = (hash: string): string => `${PREFIX}:file:${hash}`;

/** Seconds that uploaded files and results that nobody fetched are kept. */
export const KEPT = 86_400;

/** Key under which a worker or a sweep says that it is there. */
export const presenceKey = (kind: 'worker' | 'sweep', name: string): string => `${PREFIX}:${kind}:${name}`;

/** Seconds between two signs of life, and after which one no longer counts. */
const [SIGN_EVERY, SIGN_LASTS] = [4, 13];

/** A sign of life in Redis. */
export interface Presence {
  host: string;
  pid: number;
  version: string;
  /** Of a worker: its number of processes, and whether it takes jobs that bring code. */
  processes?: number;
  allowsCode?: boolean;
}

/** The address without its password. */
export function shownAddress(address: string): string {
  return address.replace(/\/\/[^@/]*@/, '//…@');
}

/** A connection that reconnects for ever. `onNote` is told when Redis is gone and when it is back. */
export async function connect(address: string, onNote: (line: string) => void): Promise<Redis> {
  if (!/^rediss?:\/\/|^unix:\/\//.test(address))
    throw new PliantError(
      '--redis',
      `--redis is ${JSON.stringify(shownAddress(address))}; expected an address such as redis://host:6379.`,
    );
  const { Redis } = await import('ioredis');
  const client = new Redis(address, {
    maxRetriesPerRequest: null,
    retryStrategy: (tries) => Math.min(50 * tries, 1000),
    // A command that waited while Redis was away is sent when it is back.
    enableOfflineQueue: true,
  });
  let gone = 0;
  const noteGone = (error?: Error) => {
    if (gone > 0 || client.status === 'end') return;
    gone = Date.now();
    const reason = error && error.message !== '' ? ` (${error.message})` : '';
    onNote(`Redis at ${shownAddress(address)} does not answer${reason}: waiting for it, nothing is lost`);
  };
  client.on('error', noteGone);
  client.on('reconnecting', () => noteGone());
  client.on('ready', () => {
    if (gone > 0) onNote(`Redis is back after ${((Date.now() - gone) / 1000).toFixed(1)} s`);
    gone = 0;
  });
  return client;
}

/** Waits until a new connection is ready. @throws PliantError after `seconds`, or if Redis refuses the user. */
export async function ready(client: Redis, address: string, seconds: number): Promise<void> {
  let last = 'no answer';
  const hear = (error: Error) => {
    last = error.message || (error as NodeJS.ErrnoException).code || String(error);
  };
  client.on('error', hear);
  const until = Date.now() + 1000 * seconds;
  while (client.status !== 'ready') {
    const refused = /WRONGPASS|NOAUTH|NOPERM|invalid username/i.test(last);
    if (refused || Date.now() > until) {
      client.disconnect();
      throw new PliantError(
        '--redis',
        `--redis ${shownAddress(address)}: cannot connect (${last}); expected a Redis that answers there.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  client.off('error', hear);
}

/** Says again and again that this process is there; returns a function that ends it. */
export function showPresence(client: Redis, key: string, presence: Presence): () => Promise<void> {
  const say = () => void client.set(key, JSON.stringify(presence), 'EX', SIGN_LASTS).catch(() => {});
  say();
  const timer = setInterval(say, 1000 * SIGN_EVERY);
  return async () => {
    clearInterval(timer);
    if (client.status === 'ready') await client.del(key).catch(() => {});
  };
}

/** All workers or sweeps that say that they are there. */
export async function presences(client: Redis, kind: 'worker' | 'sweep'): Promise<Presence[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, some] = await client.scan(cursor, 'MATCH', presenceKey(kind, '*'), 'COUNT', 1000);
    keys.push(...some);
    cursor = next;
  } while (cursor !== '0');
  const texts = keys.length > 0 ? await client.mget(keys) : [];
  return texts.flatMap((text) => {
    try {
      return text === null ? [] : [JSON.parse(text) as Presence];
    } catch {
      return [];
    }
  });
}
