import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface BenchProvider {
  issuer: string
  /** Milliseconds that it took for its own work since it was asked last. */
  takeMs(): number
  close(): Promise<void>
}

/**
 * A provider of OpenID Connect that lets everybody in: as little work as there can be, all of which is counted. A code is what its
 * tokens say.
 */
export async function startBenchProvider(): Promise<BenchProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }
  let spentMs = 0
  let issuer = ''
  const answer = async (path: string, body: string): Promise<object | null> => {
    if (path === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        code_challenge_methods_supported: ['S256'],
      }
    }
    if (path === '/jwks') return { keys: [jwk] }
    if (path !== '/token') return null
    const { subject, nonce, email } = JSON.parse(
      Buffer.from(new URLSearchParams(body).get('code')!, 'base64url').toString(),
    ) as Record<string, string>
    const token = await new SignJWT({ nonce, email, email_verified: true, name: 'Agent' })
      .setProtectedHeader({ alg: 'ES256', kid: 'bench' })
      .setIssuer(issuer)
      .setAudience('bench')
      .setSubject(subject!)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    return { access_token: 'none', token_type: 'Bearer', expires_in: 300, id_token: token }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const startedAt = performance.now()
      void answer(request.url!, Buffer.concat(chunks).toString()).then((found) => {
        response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found))
        spentMs += performance.now() - startedAt
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    takeMs() {
      const taken = spentMs
      spentMs = 0
      return taken
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
