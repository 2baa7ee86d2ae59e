import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FILES_PATH, type BrowserClient } from '../graphql/browser-client.js'
import { sendStaticFile } from './static-file.js'

/** Tells whether the request is a browser's navigation rather than a client's operation. */
export function asksForPage({ method, headers, url }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true && !/[?&]query=/.test(url)
}

export function sendPage(client: BrowserClient, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { html, headers } = client.page(request.host, request.protocol === 'https')
  return reply.headers(headers).send(html)
}

/** Adds the files that the page loads. */
export function addBrowserClientFiles(app: FastifyInstance, client: BrowserClient): void {
  app.get(`${FILES_PATH}*`, async (request, reply) => {
    const file = await client.file((request.params as { '*': string })['*'])
    if (!file) return reply.callNotFound()
    return sendStaticFile(file, request, reply.headers(file.headers).type(file.type))
  })
}
