declare const isRead: unique symbol

/**
 * The path of an address, as read by `readPath`: it has a single reading, so that a guard sees what Next routes. No
 * other string has this type.
 */
export type RequestPath = string & { readonly [isRead]: true }

/** An address of this server. */
export interface RequestTarget {
  readonly path: RequestPath
  /** With its question mark; empty if there is none. */
  readonly query: string
}

/** A dot, a slash or a backslash, encoded once or more; and characters that no name contains, which others drop. */
const disguised = /%(?:25)*(?:2e|2f|5c)|%(?:[01][\da-f]|7f)/i
/** `~` is encoded by honest clients too, but no route contains it. */
const needless = /%(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f)/i

/**
 * Reads the target of a request line; nothing else defines what a path is. Null: it is no path of this server (`*`,
 * `host:port`, `http://…`), or one that can be read in several ways: with dot segments, doubled slashes, backslashes,
 * encoded ones of these, control characters, needlessly encoded letters, or bytes that are not text.
 */
export function readPath(target: string): RequestTarget | null {
  const [path = ''] = target.split('?', 1)
  const isPlain = path.startsWith('/') && !path.includes('//') && !disguised.test(path) && !needless.test(path)
  if (!isPlain || !isText(path)) return null
  const base = 'http://tailboard.invalid'
  // As browsers and Next read it: dots resolved, backslashes turned, fragments dropped, characters invalid in a URL
  // encoded.
  if (!URL.canParse(base + path) || new URL(base + path).pathname !== path) return null
  return { path: path as RequestPath, query: target.slice(path.length) }
}

/** Next answers 500 to a path that cannot be decoded. */
function isText(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** `curl -T` needs a slash at the end of an address; a redirect would lose the body that follows. */
export const withoutSlash = ({ path, query }: RequestTarget): RequestTarget => ({
  path: (/^\/api\/v1\/.+\/$/.test(path) ? path.slice(0, -1) : path) as RequestPath,
  query,
})
