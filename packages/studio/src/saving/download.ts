/** Offers a file to the user. */
export function download(name: string, content: BlobPart, type: string): void {
  const href = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read it only after the click event.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** A title as the name of a file: "Four bunnies" is four-bunnies. */
export const fileNameOf = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '') || 'scene';
