/**
 * Makes a cheap test for every line of a log: whether the first non-blank character is one of these. Beyond ASCII the
 * result is always true: the pattern tested next decides.
 */
export function createStartTest(characters: string): (text: string) => boolean {
  const isMeant = new Uint8Array(128)
  for (const character of characters) isMeant[character.charCodeAt(0)] = 1
  return (text) => {
    const code = firstCode(text)
    return code > 127 || isMeant[code] === 1
  }
}

/** The same test for many at once: which of them may begin a line, in their order. Without `starts`: any line. */
export function createStartIndex<T extends { readonly starts?: string }>(
  all: readonly T[],
): (text: string) => readonly T[] {
  const byCode = Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return all.filter(({ starts }) => starts === undefined || starts.includes(character))
  })
  const ofBlank = all.filter(({ starts }) => starts === undefined)
  return (text) => {
    const code = firstCode(text)
    return code < 0 ? ofBlank : (byCode[code] ?? all)
  }
}

/** The first non-blank character; -1: none. */
function firstCode(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && (code < 0x09 || code > 0x0d)) return code
  }
  return -1
}
