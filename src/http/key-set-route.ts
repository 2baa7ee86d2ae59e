import type { FastifyInstance } from 'fastify'

/** As `LinkTokens` of the room of authentication. */
export interface PublicKeys {
  keySet(): Promise<object>
}

/** Where other sites find the key that the tokens in links are signed with (4.7, rule 7; RFC 7517). */
export function addKeySetRoute(app: FastifyInstance, keys: PublicKeys): void {
  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(await keys.keySet()),
  )
}
