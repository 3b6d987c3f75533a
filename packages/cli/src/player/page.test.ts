import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { page } from './page.js';
import type { PlayerData } from './record.js';

const EVIL = '</title></script><script>alert(1)</script><img src=x onerror=alert(1)>" \u202e\n';
const data = { title: `T${EVIL}`, description: `D${EVIL}`, frames: 3 } as PlayerData;

test('texts of a scene stay texts, in the page and in its data', () => {
  const html = page(data);
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(6);
  expect(html).toContain('<h1>T&#60;/title&#62;');
  const { title } = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)![1]);
  expect(title).toBe('T</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"');
});

test('the policy allows the one script and the one style that stand in the page, by their hashes', () => {
  const html = page(data);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)![1];
  for (const [part, text] of [
    ['script-src', /<script type="module">(.*?)<\/script>/s.exec(html)![1]],
    ['style-src', /<style>(.*?)<\/style>/s.exec(html)![1]],
  ])
    expect(policy).toContain(`${part} 'sha256-${createHash('sha256').update(text).digest('base64')}';`);
  expect(policy).toMatch(/^default-src 'none';/);
  expect(policy).not.toContain('unsafe');
});
