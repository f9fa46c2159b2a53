/**
 * `npm run --silent mcp`: Model Context Protocol over stdio, for agents that start a command. Passes every message on
 * to a server: the one at TAILBOARD_URL (default http://127.0.0.1:3000), with the token in TAILBOARD_TOKEN if it has
 * accounts.
 */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const { TAILBOARD_URL: origin = 'http://127.0.0.1:3000', TAILBOARD_TOKEN: token } = process.env
const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
const agent = new StdioServerTransport()
const server = new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit: { headers } })

function fail(error: unknown): void {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
}

agent.onmessage = (message) => void server.send(message).catch(fail)
server.onmessage = (message) => void agent.send(message).catch(fail)
agent.onclose = () => void server.close().catch(fail)
agent.onerror = fail
server.onerror = fail
await server.start()
await agent.start()
