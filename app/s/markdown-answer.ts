/** A Markdown page to be saved as `<name>.md`. `name`: letters and hyphens. */
export function markdownAnswer(name: string, page: string): Response {
  return new Response(page, {
    headers: {
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.md"`,
      'cache-control': 'private, no-store',
    },
  })
}
