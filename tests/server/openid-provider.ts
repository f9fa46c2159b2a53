import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/**
 * A real OpenID Connect provider in its own process, with one client: this server. Arguments: the client's return
 * address, and a port (0: any). Prints its issuer. The form decides who signs in: the account's name is its e-mail
 * address, after the name of another subject and a colon if there is one; for addresses at unverified.example the
 * provider does not know whether they are verified, and for those at odd.example it says so in an unusual form.
 */
const [callback = '', port = '0'] = process.argv.slice(2)
const server = createServer()
await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const provider = new Provider(issuer, {
  clients: [{ client_id: 'tailboard', client_secret: 'a secret of the client', redirect_uris: [callback] }],
  claims: { email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({
      ...{ sub: accountId, name: 'Ada', email: accountId.replace(/^.*:/, '') },
      email_verified: accountId.endsWith('@odd.example') ? 'yes' : !accountId.endsWith('@unverified.example'),
    }),
  }),
  cookies: { keys: ['of this process'] },
})
const respond = provider.callback()
/** Whether the provider publishes other keys than those it signs with. */
let hidesKeys = false
server.on('request', (request, response) => {
  if (request.url === '/other-keys' || request.url === '/own-keys') {
    hidesKeys = request.url === '/other-keys'
    return response.end()
  }
  if (request.url !== '/jwks' || !hidesKeys) return respond(request, response)
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
  response.setHeader('content-type', 'application/jwk-set+json').end(JSON.stringify({ keys: [key] }))
})
process.stdout.write(`Issuer: ${issuer}\n`)
