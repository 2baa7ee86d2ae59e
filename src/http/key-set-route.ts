import type { FastifyInstance } from 'fastify'

/** Implemented by `LinkTokens` of `auth/`. */
export interface PublicKeys {
  keySet(): Promise<object>
}

/** Adds the public key set by which other sites verify the tokens in links (4.7, rule 7; RFC 7517). */
export function addKeySetRoute(app: FastifyInstance, keys: PublicKeys): void {
  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(await keys.keySet()),
  )
}
