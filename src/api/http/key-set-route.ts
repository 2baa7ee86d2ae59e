import type { FastifyInstance } from 'fastify'

/** A key whose public half others need: those of `LinkTokens` of `auth/` and `SealKey` of `audit/`. */
export interface PublicKey {
  readonly public: Promise<object>
}

/**
 * Adds the public key set by which others verify what this server signs: the tokens in links (4.7, rule 7), and the seals of the audit
 * log (RFC 7517).
 */
export function addKeySetRoute(app: FastifyInstance, signers: readonly PublicKey[]): void {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    const keys = await Promise.all(signers.map((signer) => signer.public))
    return reply.header('cache-control', 'public, max-age=300').send({ keys })
  })
}
