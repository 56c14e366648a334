// A browser that asks where to may read it only then.
const keptMilliseconds = 60_000;

/** Gives the reader a file under this name, as by a link that downloads. */
export function saveFile(name: string, text: BlobPart, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMilliseconds);
}
