import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

interface Kind {
  type: string
  name: string
  touchpoint: string | null
  prepare: { text: string }[]
  connect: { address: string | null; param: string | null }[]
  params: { key: string; label: string; isSecret: boolean; isList: boolean; options: { value: string }[] }[]
  test: string | null
}

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const KINDS = `query ($locale: UserLocale) { serviceKinds(locale: $locale) { type name touchpoint test
  prepare { text } connect { address param } params { key label isSecret isList options { value } } } }`
const CREATE = `mutation ($input: CreateServiceInput!) { createService(input: $input) { id params settings { __typename } } }`

async function kindsIn(locale: string | null = null): Promise<Kind[]> {
  const { data } = await fixture.gql(fixture.admin, KINDS, { locale })
  return data.serviceKinds as Kind[]
}

async function inputFields(type: string): Promise<string[]> {
  const name = `${type[0]!.toUpperCase()}${type.slice(1)}SettingsInput`
  const query = 'query ($name: String!) { __type(name: $name) { inputFields { name } } }'
  const { data } = await fixture.gql(fixture.admin, query, { name })
  const type_ = data.__type as { inputFields: { name: string }[] } | null
  return (type_?.inputFields ?? []).map((field) => field.name)
}

describe('kinds of services', () => {
  it('have forms whose params are those of their settings', async () => {
    const kinds = await kindsIn()
    expect(kinds.length).toBeGreaterThan(8)
    for (const { type, params } of kinds) {
      const fields = await inputFields(type)
      expect(params.map(({ key }) => key).filter((key) => !fields.includes(key))).toEqual([])
    }
  })

  it('speak the language that is asked for, and English else', async () => {
    const [english, german] = [await kindsIn(), await kindsIn('DE')]
    const text = (kinds: Kind[], type: string) => kinds.find((kind) => kind.type === type)!
    expect(text(english, 'sms').params.find(({ key }) => key === 'from')!.label).toBe('Sender')
    expect(text(german, 'sms').params.find(({ key }) => key === 'from')!.label).toBe('Absender')
    expect(german.map(({ type }) => type)).toEqual(english.map(({ type }) => type))
  })

  it('lead to addresses of this server, with the id in its place, and name params that the form has or the server makes', async () => {
    for (const { type, connect, touchpoint } of await kindsIn()) {
      for (const { address, param } of connect) {
        expect(address).toMatch(new RegExp(`^https?://[^/]+/inbound/${type}/\\{service\\}`))
        if (param !== null) expect(await inputFields(type)).toContain(param)
      }
      if (connect.length > 0) expect(touchpoint).not.toBeNull()
    }
  })

  it('show what is copied at the provider once, when the service is made', async () => {
    const kind = (await kindsIn()).find(({ connect }) => connect.some(({ param }) => param === 'verifyToken'))!
    const settings = { phoneNumberId: '1', pageId: '1', accountId: '1' }
    const fields = await inputFields(kind.type)
    const given = Object.fromEntries(Object.entries(settings).filter(([key]) => fields.includes(key)))
    const { value } = await fixture.run<{ id: string; params: Record<string, string> }>(fixture.admin, CREATE, {
      input: { type: kind.type, settings: { [kind.type]: given } },
    })
    expect(value.params.verifyToken).toMatch(/^[\w-]{20,}$/)
    const { data } = await fixture.gql(fixture.admin, 'query ($id: ID!) { service(id: $id) { params } }', {
      id: value.id,
    })
    expect(data.service.params.verifyToken).toBe('********')
  })

  it('are for administrators, as services are', async () => {
    const { errors } = await fixture.gql(fixture.ann, KINDS)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' })
  })
})
