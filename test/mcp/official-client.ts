/** The part of the official client that the tests use. */
export interface OfficialClient {
  connect(transport: object): Promise<void>
  close(): Promise<void>
  ping(): Promise<object>
  getServerVersion(): { name: string } | undefined
  getInstructions(): string | undefined
  getNegotiatedProtocolVersion(): string | undefined
  listTools(): Promise<{ tools: ListedTool[] }>
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>
  readResource(params: { uri: string }): Promise<{ contents: { uri: string; text: string }[] }>
  listPrompts(): Promise<{ prompts: { name: string; arguments: { name: string; required: boolean }[] }[] }>
  getPrompt(params: { name: string; arguments?: object }): Promise<{ description: string; messages: PromptMessage[] }>
  callTool(params: { name: string; arguments?: object }): Promise<ToolResult>
}

export interface ListedTool {
  name: string
  description: string
  inputSchema: { properties: Record<string, Record<string, unknown>>; required?: string[] }
  outputSchema: object
  annotations: { readOnlyHint: boolean; idempotentHint: boolean }
}

export interface PromptMessage {
  role: string
  content: { type: string; text?: string; resource?: { uri: string; mimeType: string; text: string } }
}

export interface ToolResult {
  isError?: boolean
  content: { type: string; text: string }[]
  // The tests state what they expect of it.
  structuredContent?: any // oxlint-disable-line typescript/no-explicit-any
}

interface Library {
  Client: new (info: object, options?: object) => OfficialClient
  StreamableHTTPClientTransport: new (url: URL, options: object) => object
}

/** By a name that the compiler does not follow: nothing but these suites needs the package. */
const LIBRARY: string = '@modelcontextprotocol/client'

/** The protocol's version: one with a handshake, or the stateless one. */
export type Version = '2025-11-25' | '2026-07-28'

/** Connects the official client, whose requests go to the nodes in turns. */
export async function connectOfficial(
  urls: readonly string[],
  token: string | null,
  version: Version,
): Promise<OfficialClient> {
  const { Client, StreamableHTTPClientTransport } = (await import(LIBRARY)) as Library
  let requests = 0
  const inTurns = (input: string | URL, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(input)
    return fetch(new URL(pathname, urls[requests++ % urls.length]), init)
  }
  const mode = version === '2026-07-28' ? { pin: version } : 'legacy'
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', urls[0]), { requestInit: { headers }, fetch: inTurns }),
  )
  return client
}

/** The error that a tool answered with. */
export function refusalIn({ isError, content }: ToolResult): Record<string, unknown> & { code: string } {
  if (!isError) throw new Error(`no error: ${JSON.stringify(content)}`)
  return JSON.parse(content[0]!.text) as never
}
