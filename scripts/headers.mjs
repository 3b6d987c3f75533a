// The permissions of the studio's page, for any server, and for the page itself (packages/studio/vite.config.ts): a static host sends no headers of ours.

/** Nothing comes from elsewhere, nothing is sent elsewhere, no text becomes code but the WASM kernels. */
const DIRECTIVES = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  // The engine's threads are workers whose program is a blob: packages/pliant/src/threads.
  'worker-src': "'self' blob:",
  'connect-src': "'self'",
  'style-src': "'self'",
  // The page's mark is a data: URI; pictures that are saved are blobs.
  'img-src': "'self' data: blob:",
  'base-uri': "'none'",
  'form-action': "'none'",
};

/** The policy of the page itself. */
export const POLICY = Object.entries(DIRECTIVES)
  .map((directive) => directive.join(' '))
  .join('; ');

/** Of every answer. Cross-origin isolated pages may share memory with their workers; a page cannot say by itself that no other may frame it. */
export const HEADERS = {
  'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
