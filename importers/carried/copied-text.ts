const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Text copied from a page's source: `?a=1&amp;b=2` is `?a=1&b=2`. */
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

/**
 * A command or an address copied from the source of a page or a mail: `?a=3D1&b=3D2` (RFC 2045, 6.7) is `?a=1&b=2`. A
 * single `=3D` may be part of the real address.
 */
export function decodeAddress(text: string): string {
  const plain = decodeEntities(text)
  const signs = plain.split('=').length - 1
  return signs > 1 && plain.split('=3D').length - 1 === signs ? plain.replaceAll('=3D', '=') : plain
}
