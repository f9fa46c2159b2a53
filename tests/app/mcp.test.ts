import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, it } from 'vitest'
import { makeMcpServer } from '@/app/mcp/tools'
import type { TokenScope, Viewer } from '@/lib/viewer'

const tokenOf = (scope: TokenScope): Viewer => {
  const account = { accountId: 'a', name: 'Ada', isOwner: false }
  return { kind: 'token', tokenId: 't', projectId: null, scope, ...account }
}

async function toolsOf(viewer: Viewer): Promise<readonly string[]> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const server = makeMcpServer(viewer, new Request('http://127.0.0.1:3000/mcp'))
  const client = new Client({ name: 'tests', version: '1' })
  await Promise.all([server.connect(ours), client.connect(theirs)])
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

it('offers a tool that writes only to viewers who may write', async () => {
  expect(await toolsOf(tokenOf('read'))).not.toContain('upload')
  for (const viewer of [tokenOf('upload'), tokenOf('admin'), { kind: 'local' } as const])
    expect(await toolsOf(viewer)).toContain('upload')
})
