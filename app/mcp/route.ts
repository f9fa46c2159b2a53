import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { z } from 'zod'
import { countRequests } from '@/app/_server/http/current-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { route } from '@/app/_server/http/route'
import { makeMcpServer } from './tools'

/** Each of a batch may cost as much as a request: more come one after the other. */
const maxMessages = 20

/** The messages that a request brings: one, or several of them together. */
const bodySchema = z
  .unknown()
  .refine((body) => !Array.isArray(body) || body.length > 0, 'A batch has no messages.')
  .refine((body) => !Array.isArray(body) || body.length <= maxMessages, `A batch has at most ${maxMessages} messages.`)

/** Model Context Protocol over streamable HTTP, without sessions: any instance answers any request, as JSON. */
export const POST = route(async (request, _params, viewer) => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const parsedBody = await readJson(request, bodySchema)
  // A batch is as many requests as it has messages.
  if (Array.isArray(parsedBody)) await countRequests(viewer, parsedBody.length - 1)
  const server = makeMcpServer(viewer, request)
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
})
