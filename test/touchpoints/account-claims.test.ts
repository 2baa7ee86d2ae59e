import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startProviderFixture, type ProviderFixture } from './provider-fixture.js'

let fixture: ProviderFixture
beforeAll(async () => {
  fixture = await startProviderFixture()
})
afterAll(() => fixture.app.close())

const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
type As = Parameters<ProviderFixture['app']['gql']>[0]
let accounts = 100_000_000

describe.each([
  ['messenger', 'pageId'],
  ['instagram', 'accountId'],
  ['whatsapp', 'phoneNumberId'],
])('an account of %s', (type, param) => {
  const newAccount = (): { [param: string]: string } => ({
    [param]: String(++accounts),
    appSecret: 'secret-of-the-app',
  })
  const make = (as: As, params: object, status = 'ACTIVE') =>
    fixture.app.gql<{ createService: { id: string } }>(
      as,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type, params, status } },
    )
  const made = async (...of: Parameters<typeof make>): Promise<string> => {
    const { data, errors } = await make(...of)
    expect(errors).toBeUndefined()
    return data.createService.id
  }
  const update = (id: string, patch: object) => fixture.app.gql(fixture.admin, UPDATE, { id, patch })
  const refusedAt = (field: string, value: string) => [
    {
      message: `${field} "${value}" is in use by another service: it has one at a time`,
      extensions: { code: 'UNPROCESSABLE', reason: 'ACCOUNT_TAKEN', field },
    },
  ]
  const field = `params.${param}`

  it('has one service of the organization at a time, with whatever app', async () => {
    const account = newAccount()
    const first = await made(fixture.admin, account)
    for (const params of [account, { ...account, appSecret: 'of-another-app' }, { [param]: account[param] }]) {
      const { errors } = await make(fixture.admin, params)
      expect(errors).toMatchObject(refusedAt(field, account[param]!))
      expect(JSON.stringify(errors)).not.toContain(first)
    }
    const settings = await fixture.app.gql(
      fixture.admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type, settings: { [type]: account } } },
    )
    expect(settings.errors).toMatchObject(refusedAt(`settings.${type}.${param}`, account[param]!))
    // Its own service may be saved again.
    expect(
      (await update(first, { params: { ...account, appSecret: '********' }, name: 'Again' })).errors,
    ).toBeUndefined()
  })

  it('is refused where a service is switched on, or gets it by its params or type', async () => {
    const account = newAccount()
    const first = await made(fixture.admin, account)
    const asleep = await made(fixture.admin, account, 'INACTIVE')
    expect((await update(asleep, { status: 'ACTIVE' })).errors).toMatchObject(refusedAt(field, account[param]!))
    const other = await made(fixture.admin, newAccount())
    expect((await update(other, { params: account })).errors).toMatchObject(refusedAt(field, account[param]!))
    expect((await update(first, { status: 'INACTIVE' })).errors).toBeUndefined()
    expect((await update(asleep, { status: 'ACTIVE' })).errors).toBeUndefined()
    expect((await update(first, { status: 'ACTIVE' })).errors).toMatchObject(refusedAt(field, account[param]!))
    // One that its provider refuses is in use as well.
    await fixture.app.server.database.query("update service set status = 'failing' where id = $1", [asleep])
    expect((await update(first, { status: 'ACTIVE' })).errors).toMatchObject(refusedAt(field, account[param]!))
    await fixture.app.gql(fixture.admin, 'mutation ($id: ID!) { deleteService(id: $id) }', { id: asleep })
    expect((await update(first, { status: 'ACTIVE' })).errors).toBeUndefined()
  })

  it('has one service of the app in the whole installation; a stranger cannot occupy it by what is public', async () => {
    const account = newAccount()
    const strangers = await Promise.all(
      [undefined, fixture.organization].map(async (parent) => {
        const organization = await fixture.app.makeOrganization(parent ? { parent } : {})
        return fixture.app.makeUser({ organization, role: 'admin' })
      }),
    )
    const stranger = strangers[0]!
    const occupied = await made(stranger, { [param]: account[param], appSecret: 'a-guess-of-a-secret' })
    const first = await made(fixture.admin, account)
    expect((await make(stranger, account)).errors?.length).toBe(1)
    await fixture.app.gql(stranger, 'mutation ($id: ID!) { deleteService(id: $id) }', { id: occupied })
    // Of another center, and of a customer of the same one.
    for (const each of strangers) {
      const { errors } = await make(each, account)
      expect(errors).toMatchObject(refusedAt(field, account[param]!))
      expect(JSON.stringify(errors)).not.toContain(first)
    }
  })

  it('is taken by one of several who save it at the same time', async () => {
    const account = newAccount()
    const answers = await Promise.all(Array.from({ length: 6 }, () => make(fixture.admin, account)))
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1)
  })
})
