/** More files are reviewed one by one: their address would be too long for proxies. */
export const maxFilesInTable = 60

/** The page of several previews as one table, by the paths of theirs. */
export function manyUrl(urls: readonly string[]): string {
  const [first = ''] = urls
  const ids = urls.map((url) => url.slice(url.lastIndexOf('/') + 1))
  return `${first.slice(0, first.lastIndexOf('/'))}/many?of=${ids.join(',')}`
}
