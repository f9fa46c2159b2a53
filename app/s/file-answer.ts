/** A file of a share or comparison, never cached on the way; `policy`: its content security policy. */
export function fileAnswer(
  type: string,
  body: string,
  policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox",
): Response {
  return new Response(body, {
    headers: { 'content-type': type, 'cache-control': 'private, no-store', 'content-security-policy': policy },
  })
}
