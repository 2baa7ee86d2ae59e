import { describe, expect, it } from '@jest/globals'
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { createTokenSigner, type TokenSignerOptions } from '../../src/modules/auth/tokens.js'
import { type GrantType, GRANT_TYPES } from '../../src/modules/auth/token-claims.js'
import { TokenExpired, Unauthenticated } from '../../src/platform/errors.js'

const DAY_MS = 24 * 60 * 60 * 1000
const secret = new Uint8Array(32).fill(7)
const subject = { user: 'user-1', organization: 'organization-1', scopes: ['guest', 'agent'] }

/** A signer on a clock that the test moves. */
function signerAt(start = '2026-01-01T12:00:00.750Z', options: Partial<TokenSignerOptions> = {}) {
  let time = new Date(start).getTime()
  let ids = 0
  const signer = createTokenSigner({
    secret,
    issuer: 'switchboard',
    now: () => new Date(time),
    newId: () => `id-${++ids}`,
    ...options,
  })
  return {
    ...signer,
    passMs: (ms: number) => {
      time += ms
    },
  }
}

describe('tokens (2.1, 5)', () => {
  it('carries the claims that legacy clients decode', async () => {
    const { token, expiresAt, jti } = await signerAt().signAccess({ ...subject, family: 'family-1' })
    const iat = Date.parse('2026-01-01T12:00:00Z') / 1000
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(decodeJwt(token)).toEqual({
      _id: 'user-1',
      organization: 'organization-1',
      scope: 'guest agent',
      grant_type: 'access_token',
      family: 'family-1',
      iss: 'switchboard',
      aud: 'api',
      iat,
      exp: iat + 24 * 60 * 60,
      jti: 'id-1',
    })
    expect(expiresAt).toEqual(new Date('2026-01-02T12:00:00Z'))
    expect(jti).toBe('id-1')
  })

  it('returns the signed claims of each kind', async () => {
    const signer = signerAt()
    const base = { ...subject, issuedAt: new Date('2026-01-01T12:00:00Z') }
    const none = { family: null, contact: null, conversation: null }

    const access = await signer.signAccess(subject)
    expect(await signer.verify(access.token, ['access_token'])).toEqual({
      ...base,
      ...none,
      grantType: 'access_token',
      jti: access.jti,
      expiresAt: access.expiresAt,
    })
    const refresh = await signer.signRefresh({ ...subject, family: 'family-1' })
    expect(await signer.verify(refresh.token, ['refresh_token'])).toEqual({
      ...base,
      ...none,
      grantType: 'refresh_token',
      jti: refresh.jti,
      family: 'family-1',
      expiresAt: new Date('2026-01-31T12:00:00Z'),
    })
    const api = await signer.signApi(subject)
    expect(api.expiresAt).toBeNull()
    expect(decodeJwt(api.token)).not.toHaveProperty('exp')
    expect(await signer.verify(api.token, ['api_token'])).toEqual({
      ...base,
      ...none,
      grantType: 'api_token',
      jti: api.jti,
      expiresAt: null,
    })
    const guest = await signer.signGuest({
      contact: 'contact-1',
      conversation: 'conversation-1',
      organization: 'organization-1',
      scopes: ['guest'],
    })
    expect(await signer.verify(guest.token, ['guest_token'])).toEqual({
      ...base,
      grantType: 'guest_token',
      jti: guest.jti,
      expiresAt: guest.expiresAt,
      scopes: ['guest'],
      family: null,
      user: 'contact-1',
      contact: 'contact-1',
      conversation: 'conversation-1',
    })
  })

  it('contains only the required claims about the subject', async () => {
    const record = { ...subject, passwordHash: '$argon2id$', exp: 1, iss: 'other' }
    const { token } = await signerAt().signAccess(record)
    expect(Object.keys(decodeJwt(token)).toSorted()).toEqual([
      '_id',
      'aud',
      'exp',
      'grant_type',
      'iat',
      'iss',
      'jti',
      'organization',
      'scope',
    ])
    expect(decodeJwt(token).iss).toBe('switchboard')
  })

  it.each(GRANT_TYPES.flatMap((made) => GRANT_TYPES.map((asked) => [made, asked] as const)))(
    'a %s is accepted where a %s is required only if they are the same',
    async (made, asked) => {
      const signer = signerAt()
      const token = await tokenOf(signer, made)
      const outcome = signer.verify(token, [asked]).then(
        () => 'accepted',
        (error: Error) => error.message,
      )
      expect(await outcome).toBe(made === asked ? 'accepted' : 'invalid token')
      // The same from memory.
      const again = signer.verify(token, [asked]).then(
        () => 'accepted',
        (error: Error) => error.message,
      )
      expect(await again).toBe(made === asked ? 'accepted' : 'invalid token')
    },
  )

  it.each([0, 10_000])('expires to the second, with %i verified tokens remembered', async (verifiedMax) => {
    const signer = signerAt('2026-01-01T12:00:00Z', { verifiedMax })
    const { token } = await signer.signAccess(subject)
    await signer.verify(token, ['access_token'])
    signer.passMs(DAY_MS - 1)
    await signer.verify(token, ['access_token'])
    signer.passMs(1)
    for (let round = 0; round < 2; round++) {
      const error = await signer.verify(token, ['access_token']).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TokenExpired)
      expect(error).toMatchObject({ message: 'jwt expired' })
    }
  })

  // [5 API token validity]
  it('never expires a bot token', async () => {
    const signer = signerAt()
    const { token } = await signer.signApi(subject)
    signer.passMs(3650 * DAY_MS)
    expect(await signer.verify(token, ['api_token'])).toMatchObject({ user: 'user-1' })
  })

  it('reports "invalid signature" for another secret and for changed claims', async () => {
    const signer = signerAt()
    const foreign = await signerAt(undefined, { secret: new Uint8Array(32).fill(8) }).signAccess(subject)
    const [header, , signature] = (await signer.signAccess(subject)).token.split('.')
    const [, admin] = (await signer.signAccess({ ...subject, scopes: ['admin'] })).token.split('.')
    for (const token of [foreign.token, [header, admin, signature].join('.')]) {
      await expect(signer.verify(token, ['access_token'])).rejects.toThrow(new Unauthenticated('invalid signature'))
    }
  })

  it('reports "invalid token" for everything else', async () => {
    const signer = signerAt()
    const good = decodeJwt((await signer.signAccess(subject)).token)
    const signed = (claims: object, alg = 'HS256', typ = 'JWT', key = secret) =>
      new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg, typ }).sign(key)
    const tokens = [
      '',
      'x',
      'a.b.c',
      'x'.repeat(5_000),
      new UnsecuredJWT(good).encode(),
      await signed({}, 'HS512', 'JWT', long),
      await signed({}, 'HS256', 'other'),
      await signed({ iss: 'other' }),
      await signed({ aud: 'other' }),
      await signed({ aud: undefined }),
      await signed({ grant_type: 'password' }),
      await signed({ grant_type: undefined }),
      await signed({ grant_type: 'api_token' }),
      await signed({ grant_type: 'guest_token' }),
      await signed({ _id: undefined }),
      await signed({ _id: 5 }),
      await signed({ scope: ['admin'] }),
      await signed({ jti: '' }),
      await signed({ iat: undefined }),
      await signed({ exp: undefined }),
      await signed({ nbf: 4_000_000_000 }),
      await signed({ exp: 'never' }),
    ]
    for (const token of tokens) {
      await expect(signer.verify(token, GRANT_TYPES)).rejects.toThrow(new Unauthenticated('invalid token'))
    }
    await expect(signer.verify(undefined as unknown as string, GRANT_TYPES)).rejects.toThrow('invalid token')
    await expect(signer.verify(await signed({}), GRANT_TYPES)).resolves.toMatchObject({ user: 'user-1' })
  })

  it('remembers a bounded number of tokens and still accepts those it forgot', async () => {
    const signer = signerAt(undefined, { verifiedMax: 2 })
    const tokens = await Promise.all(Array.from({ length: 5 }, () => signer.signAccess(subject)))
    for (let round = 0; round < 2; round++) {
      for (const { token, jti } of tokens) expect(await signer.verify(token, ['access_token'])).toMatchObject({ jti })
    }
  })

  it('returns claims that callers cannot modify for the next request', async () => {
    const signer = signerAt()
    const { token } = await signer.signAccess(subject)
    const claims = await signer.verify(token, ['access_token'])
    expect(() => (claims.scopes as string[]).push('admin')).toThrow(TypeError)
    expect(() => {
      ;(claims as { user: string }).user = 'user-2'
    }).toThrow(TypeError)
  })

  it('refuses a short secret and a token without a scope', async () => {
    expect(() => signerAt(undefined, { secret: new Uint8Array(31) })).toThrow('32 bytes')
    await expect(signerAt().signAccess({ ...subject, scopes: [] })).rejects.toThrow('scope')
  })
})

const long = new Uint8Array(64).fill(7)

async function tokenOf(signer: ReturnType<typeof signerAt>, grantType: GrantType): Promise<string> {
  switch (grantType) {
    case 'access_token':
      return (await signer.signAccess(subject)).token
    case 'refresh_token':
      return (await signer.signRefresh({ ...subject, family: 'family-1' })).token
    case 'api_token':
      return (await signer.signApi(subject)).token
    case 'guest_token':
      return (await signer.signGuest({ contact: 'c', organization: 'o', scopes: ['guest'] })).token
  }
}
