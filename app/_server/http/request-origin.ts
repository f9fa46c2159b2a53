/** `http://127.0.0.1:3000`, as the client addressed us. The request guard has let only loopback hosts through. */
export function requestOrigin(headers: Headers): string {
  return `http://${headers.get('host') ?? '127.0.0.1:3000'}`
}
