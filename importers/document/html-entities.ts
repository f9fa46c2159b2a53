const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** A command, an address or an error message that was copied out of a page's source: `?a=1&amp;b=2` is `?a=1&b=2`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, name, decimal, hex) => {
      if (typeof name === 'string') return named[name.toLowerCase()] ?? entity
      const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16)
      return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
    },
  )
}
