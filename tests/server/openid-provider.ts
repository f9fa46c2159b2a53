import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/**
 * A real OpenID Connect provider in a process of its own, with one client: this server. Arguments: the address that the
 * client is led back to, and a port (0: any). Prints its issuer. Who signs in is who the form says: the account's name is
 * its e-mail address, after the name of another subject and a colon where there is one; of those at unverified.example the provider does not know
 * whether it is theirs, and of those at odd.example it says so in a form of its own.
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
/** Whether the provider says that its keys are others than those it signs with. */
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
