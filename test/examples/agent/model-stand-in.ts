import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Ajv } from 'ajv'

/** Fields of a request of OpenAI's chat completions, as far as clients of other models use them. */
const REQUEST = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    model: { type: 'string', minLength: 1 },
    messages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['role', 'content'],
        properties: {
          role: { enum: ['developer', 'system', 'user', 'assistant'] },
          content: { type: 'string' },
          name: { type: 'string' },
        },
        additionalProperties: false,
      },
    },
    stream: { type: 'boolean' },
    stream_options: { type: 'object' },
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    max_completion_tokens: { type: 'integer', minimum: 1 },
  },
  additionalProperties: false,
}
const isRequest = new Ajv().compile<ModelRequest>(REQUEST)

export interface ModelRequest {
  model: string
  messages: { role: string; content: string }[]
  stream?: boolean
}

/** Answers one request that the contract allows. */
export type Behaviour = (response: ServerResponse) => Promise<void> | void

export interface ModelStandIn {
  /** Its base address, as a model is configured. */
  url: string
  key: string
  requests: ModelRequest[]
  /** Requests whose client has gone before the end. */
  aborted: number
  behaviour: Behaviour
  close(): Promise<void>
}

/** Answers as the published contract has it, and refuses what it does not have. */
export async function startModel(behaviour: Behaviour = says('Hello.')): Promise<ModelStandIn> {
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const body: unknown = JSON.parse(Buffer.concat(parts).toString())
      const { authorization, 'content-type': type } = request.headers
      if (`${request.method} ${request.url}` !== 'POST /v1/chat/completions')
        return refuse(response, 404, 'no such path')
      if (authorization !== `Bearer ${model.key}`) return refuse(response, 401, 'Incorrect API key provided')
      if (type !== 'application/json' || !isRequest(body))
        return refuse(response, 400, JSON.stringify(isRequest.errors ?? type))
      model.requests.push(body)
      response.once('close', () => (model.aborted += response.writableFinished ? 0 : 1))
      await model.behaviour(response)
    })()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const model: ModelStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key: 'sk-test',
    requests: [],
    aborted: 0,
    behaviour,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  return model
}

export function refuse(response: ServerResponse, status: number, message: string, headers: object = {}): void {
  const error = { message, type: 'invalid_request_error', param: null, code: null }
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }))
}

/** Tokens of at most three UTF-16 units: an emoji may lie in two of them. */
const tokensOf = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? []

const chunkOf = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'stand-in',
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`

export const begin = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunkOf({ role: 'assistant', content: '' }))
}

export const write = (response: ServerResponse, text: string): void => {
  for (const content of tokensOf(text)) response.write(chunkOf({ content }))
}

export const end = (response: ServerResponse, reason = 'stop'): void => {
  response.end(`${chunkOf({}, reason)}data: [DONE]\n\n`)
}

/** Says a text in tokens. */
export function says(text: string): Behaviour {
  return (response) => {
    begin(response)
    write(response, text)
    end(response)
  }
}

/** Says a text in pieces of a few bytes, which end within characters, with comments and lines that end otherwise between them. */
export function saysInPieces(text: string): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.socket?.setNoDelay(true)
    // Characters as they are, not escaped, and an emoji that lies in two tokens, escaped as it must be.
    const events = `: hello\r\n\r\n${tokensOf(text)
      .map((content) => chunkOf({ content }))
      .join('')}`
    const bytes = Buffer.from(`${events.replaceAll('\n\n', '\r\n\r\n')}data: [DONE]\r\n\r\n`)
    for (let at = 0; at < bytes.length; at += 7) {
      response.write(bytes.subarray(at, at + 7))
      await pause(0)
    }
    response.end()
  }
}
