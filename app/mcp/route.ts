import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { z } from 'zod'
import { countRequests } from '@/app/_server/http/request-viewer'
import { readJson } from '@/app/_server/http/read-json'
import { route } from '@/app/_server/http/route'
import { makeMcpServer } from './tools'

/** Each message of a batch may cost as much as a request: further ones must come one after the other. */
const maxMessages = 20

/** The messages in a request: one, or several together. */
const bodySchema = z
  .unknown()
  .refine((body) => !Array.isArray(body) || body.length > 0, 'A batch has no messages.')
  .refine((body) => !Array.isArray(body) || body.length <= maxMessages, `A batch has at most ${maxMessages} messages.`)

/** Model Context Protocol over streamable HTTP, without sessions: any instance answers any request, as JSON. */
export const POST = route(async (request, _params, viewer) => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const parsedBody = await readJson(request, bodySchema)
  // A batch counts as one request per message.
  if (Array.isArray(parsedBody)) countRequests(viewer, parsedBody.length - 1)
  const server = makeMcpServer(viewer, request)
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
})
