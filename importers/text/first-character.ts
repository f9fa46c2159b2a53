/**
 * Makes a cheap test for every line of a log: whether the first character that is no blank is one of these. Beyond
 * ASCII the result is always true: the pattern that is asked next decides.
 */
export function createStartTest(characters: string): (text: string) => boolean {
  const isMeant = new Uint8Array(128)
  for (const character of characters) isMeant[character.charCodeAt(0)] = 1
  return (text) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && (code < 0x09 || code > 0x0d)) return code > 127 || isMeant[code] === 1
    }
    return false
  }
}
