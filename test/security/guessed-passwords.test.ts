import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer({ TRUST_PROXY: '1' })
})
afterAll(() => app.close())

const PASSWORD = 'correct horse battery'
const attempt = async (email: string, password: string, address: string): Promise<number> => {
  const { status } = await app.rest(null, 'POST', '/v2/auth/token', { email, password }, { 'x-forwarded-for': address })
  return status
}
let hosts = 1
const elsewhere = () => `198.51.100.${hosts++}`

describe('sign-in', () => {
  it('counts guesses for the user found, even if the database and JavaScript fold a letter differently', async () => {
    const organization = await app.makeContactCenter()
    // The Kelvin sign, I with a dot, a capital sharp s …: lower case is another letter here than there.
    for (const letter of ['\u212A', '\u0130', '\u1E9E', '\u03A3', '\u01C5']) {
      const email = `${letter}im-${letter.codePointAt(0)}@example.com`
      const lower = `lower($1)`
      const [{ form }] = (await app.server.database.query<{ form: string }>(`select ${lower} as form`, [email])) as [
        { form: string },
      ]
      await app.makeUser({ organization, email, password: PASSWORD })
      const spellings = [email, form]
      const statuses: number[] = []
      for (let guess = 0; guess < 12; guess++) {
        statuses.push(await attempt(spellings[guess % 2]!, 'wrong', elsewhere()))
      }
      const isSame = await attempt(form, PASSWORD, elsewhere())
      expect({ email, statuses: statuses.filter((status) => status === 401).length }).toEqual({ email, statuses: 10 })
      expect(isSame).toBe(429)
    }
  })

  it('does not reveal known emails by the way spellings are counted', async () => {
    const statuses: number[] = []
    for (let guess = 0; guess < 11; guess++) {
      const email = [...'nobody@example.com']
        .map((letter, at) => ((guess >> at) & 1 ? letter.toUpperCase() : letter))
        .join('')
      statuses.push(await attempt(email, 'wrong', elsewhere()))
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('is not locked by unauthenticated callers for users on networks from which they signed in before', async () => {
    const organization = await app.makeContactCenter()
    const { email } = await app.makeUser({ organization, password: PASSWORD })
    expect(await attempt(email, PASSWORD, '203.0.113.7')).toBe(201)
    for (let guess = 0; guess < 10; guess++) await attempt(email, 'wrong', elsewhere())
    expect(await attempt(email, PASSWORD, elsewhere())).toBe(429)
    expect(await attempt(email, PASSWORD, '203.0.113.7')).toBe(201)
    // The known address has its own ten, and its success gives other addresses none.
    expect(await attempt(email, PASSWORD, elsewhere())).toBe(429)
    for (let guess = 0; guess < 10; guess++) expect(await attempt(email, 'wrong', '203.0.113.7')).toBe(401)
    expect(await attempt(email, PASSWORD, '203.0.113.7')).toBe(429)
    const kept = await app.server.database.query('select network from user_network')
    expect(JSON.stringify(kept)).not.toContain('203.0')
  })
})
