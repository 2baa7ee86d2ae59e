import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** Resource sharing (4.3): an organization and a resource with the same tag are shared. */

interface Resource {
  /** GraphQL names: `article`, `Article`. */
  one: string
  type: string
  path: string
  /** Makes the input of a create. */
  input: (name: string) => object
  /** A change that any writer may make. */
  patch: object
  /** True for a record of another organization. */
  sharedField: string
}

const RESOURCES: Resource[] = [
  {
    one: 'form',
    type: 'Form',
    path: '/v2/forms',
    sharedField: 'isTemplate',
    patch: { isStatic: true },
    input: (name) => ({ name, email: ['owner@example.com'], fields: [{ key: 'a' }] }),
  },
  {
    one: 'article',
    type: 'Article',
    path: '/v2/articles',
    sharedField: 'isShared',
    patch: { summary: 'S' },
    input: (name) => ({ title: name, status: 'PUBLISHED' }),
  },
  {
    one: 'location',
    type: 'Location',
    path: '/v2/locations',
    sharedField: 'isShared',
    patch: { name: 'L' },
    input: (name) => ({ name }),
  },
  {
    one: 'file',
    type: 'File',
    path: '/v2/files',
    sharedField: 'isShared',
    patch: { name: 'F' },
    input: (name) => ({ name, url: 'https://example.com/file' }),
  },
]

const UPDATE_TAGS = `mutation ($id: ID!, $patch: UpdateOrganizationInput!) {
  updateOrganization(id: $id, patch: $patch) { tags }
}`

let app: TestServer
let center: MadeOrganization
let owner: MadeOrganization
let reader: MadeOrganization
let below: MadeOrganization
let centerAdmin: MadeUser
let ownerAdmin: MadeUser
let readerAdmin: MadeUser
let belowAdmin: MadeUser
let abroadAdmin: MadeUser
let abroadCenterAdmin: MadeUser

beforeAll(async () => {
  app = await startTestServer()
  center = await app.makeOrganization({ name: 'Center' })
  owner = await app.makeOrganization({ parent: center, name: 'Owner' })
  reader = await app.makeOrganization({ parent: center, name: 'Reader' })
  below = await app.makeOrganization({ parent: reader, name: 'Below the reader' })
  const abroadCenter = await app.makeOrganization({ name: 'Another center' })
  const abroad = await app.makeOrganization({ parent: abroadCenter, name: 'Abroad' })
  const admin = (organization: MadeOrganization): Promise<MadeUser> => app.makeUser({ organization, role: 'admin' })
  centerAdmin = await admin(center)
  ownerAdmin = await admin(owner)
  readerAdmin = await admin(reader)
  belowAdmin = await admin(below)
  abroadAdmin = await admin(abroad)
  abroadCenterAdmin = await admin(abroadCenter)
  for (const [organization, tags] of [
    [owner, ['owners']],
    [reader, ['shared', 'readers']],
    [abroadCenter, ['shared']],
    [abroad, ['shared']],
  ] as const) {
    await app.server.database.query('update organization set tags = $2 where id = $1', [organization.id, tags])
  }
})
afterAll(() => app.close())

function code(answer: { errors?: { extensions: { code: string } }[] }): string | undefined {
  return answer.errors?.[0]?.extensions.code
}

describe.each(RESOURCES)('$type', ({ one, type, path, input, patch, sharedField }) => {
  const FIELDS = `id organizationId tags ${sharedField} organization { id }`

  async function make(as: MadeUser, name: string, more: object = {}): Promise<string> {
    const { data, errors } = await app.gql(
      as,
      `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { id } }`,
      { input: { ...input(name), ...more } },
    )
    expect(errors).toBeUndefined()
    return data.made.id as string
  }

  const fetch = (as: MadeUser, id: string) =>
    app.gql(as, `query ($id: ID!) { it: ${one}(id: $id) { ${FIELDS} } }`, { id })

  async function list(as: MadeUser, args = ''): Promise<string[]> {
    const { data, errors } = await app.gql(
      as,
      `{ page: ${one}s(first: 100 ${args}) { edges { node { id } } totalCount } }`,
    )
    expect(errors).toBeUndefined()
    const ids = data.page.edges.map(({ node }: { node: { id: string } }) => node.id)
    expect(data.page.totalCount).toBe(ids.length)
    return ids
  }

  const update = (as: MadeUser, id: string, change: object) =>
    app.gql(
      as,
      `mutation ($id: ID!, $patch: Update${type}Input!) { it: update${type}(id: $id, patch: $patch) { ${FIELDS} } }`,
      { id, patch: change },
    )

  const remove = (as: MadeUser, id: string) => app.gql(as, `mutation ($id: ID!) { delete${type}(id: $id) }`, { id })

  // [2.4 tags] [4.3 shared articles, shared files, shared locations, shared forms]
  it('with a tag of the organization is listed and fetched there, though it is another’s', async () => {
    const shared = await make(centerAdmin, 'Shared', { organization: owner.id, tags: ['other', 'shared'] })
    const fromCenter = await make(centerAdmin, 'From the center', { tags: ['readers'] })
    const untagged = await make(ownerAdmin, 'Untagged')
    const elsewhere = await make(centerAdmin, 'Elsewhere', { organization: owner.id, tags: ['owners'] })
    const ids = await list(readerAdmin)
    expect(ids).toEqual(expect.arrayContaining([shared, fromCenter]))
    for (const id of [untagged, elsewhere]) {
      expect(ids).not.toContain(id)
      expect(code(await fetch(readerAdmin, id))).toBe('NOT_FOUND')
    }
    // The foreign owner is known by its id only.
    expect((await fetch(readerAdmin, shared)).data.it).toEqual({
      id: shared,
      organizationId: owner.id,
      tags: ['other', 'shared'],
      [sharedField]: true,
      organization: null,
    })
    expect((await fetch(ownerAdmin, shared)).data.it).toMatchObject({
      [sharedField]: false,
      organization: { id: owner.id },
    })
    expect((await fetch(centerAdmin, shared)).data.it).toMatchObject({ [sharedField]: false })
    expect(await list(readerAdmin, 'filter: { tags: { eq: "other" } }')).toEqual([shared])
    const rest = await app.rest(readerAdmin, 'GET', `${path}/${shared}`)
    expect([rest.status, rest.body.organization, rest.body[sharedField]]).toEqual([200, owner.id, true])
    expect((await app.rest(readerAdmin, 'GET', `${path}?tags=other`)).body.map(({ id }: { id: string }) => id)).toEqual(
      [shared],
    )
  })

  it('is shared with the tagged organization, not with those below it', async () => {
    const shared = await make(centerAdmin, 'For the reader', { organization: owner.id, tags: ['readers'] })
    expect(code(await fetch(belowAdmin, shared))).toBe('NOT_FOUND')
    expect(await list(belowAdmin)).not.toContain(shared)
  })

  it('is read only where it is shared', async () => {
    const shared = await make(centerAdmin, 'Read only', { organization: owner.id, tags: ['shared'] })
    for (const answer of [await update(readerAdmin, shared, patch), await remove(readerAdmin, shared)]) {
      expect(answer.errors?.[0]).toMatchObject({
        message: `${type} ${shared} is shared by another organization: it can only be read`,
        extensions: { code: 'FORBIDDEN' },
      })
    }
    expect((await app.rest(readerAdmin, 'DELETE', `${path}/${shared}`)).status).toBe(403)
    expect((await update(ownerAdmin, shared, patch)).errors).toBeUndefined()
  })

  it('is never shared across contact centers, with any tags', async () => {
    const ours = await make(centerAdmin, 'Ours', { organization: owner.id, tags: ['shared'] })
    const abroad = await make(abroadCenterAdmin, 'Theirs', { tags: ['shared', 'readers'] })
    for (const [who, foreign] of [
      [abroadAdmin, ours],
      [abroadCenterAdmin, ours],
      [readerAdmin, abroad],
      [centerAdmin, abroad],
    ] as const) {
      expect(await list(who)).not.toContain(foreign)
      const answers = [await fetch(who, foreign), await update(who, foreign, patch), await remove(who, foreign)]
      expect(answers.map(code)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    }
    expect(await list(abroadAdmin)).toContain(abroad)
  })

  it('is no longer shared once the tag is removed, on either side', async () => {
    const shared = await make(centerAdmin, 'For a while', { organization: owner.id, tags: ['shared'] })
    expect((await update(centerAdmin, shared, { tags: null })).data.it.tags).toEqual([])
    expect(code(await fetch(readerAdmin, shared))).toBe('NOT_FOUND')
    expect((await update(centerAdmin, shared, { tags: ['while'] })).errors).toBeUndefined()
    const tagReader = (tags: string[]) => app.gql(centerAdmin, UPDATE_TAGS, { id: reader.id, patch: { tags } })
    expect((await tagReader(['shared', 'readers', 'while'])).errors).toBeUndefined()
    expect((await fetch(readerAdmin, shared)).errors).toBeUndefined()
    await tagReader(['shared', 'readers'])
    expect(code(await fetch(readerAdmin, shared))).toBe('NOT_FOUND')
  })

  // [2.11 tags of forms, tags of articles, tags of files, tags of locations] [4.3 sharing tags of articles, sharing
  // tags of forms]
  it('is tagged by whoever may update it (4.3, section 5)', async () => {
    const mine = await make(ownerAdmin, 'Mine')
    expect((await update(ownerAdmin, mine, { tags: ['mine'] })).data.it.tags).toEqual(['mine'])
    const planted = await app.gql(
      ownerAdmin,
      `mutation ($input: Create${type}Input!) { it: create${type}(input: $input) { id tags } }`,
      { input: { ...input('Tagged'), tags: ['mine'] } },
    )
    expect(planted.data.it.tags).toEqual(['mine'])
    for (const organization of [center, owner]) {
      const bot = await app.makeUser({ organization, role: 'bot' })
      expect((await update(bot, mine, { tags: [organization.name] })).data.it.tags).toEqual([organization.name])
    }
    expect(code(await update(readerAdmin, mine, { tags: ['readers'] }))).toBe('NOT_FOUND')
    expect((await app.rest(centerAdmin, 'PATCH', `${path}/${mine}`, { tags: ['a', 'b', 'a'] })).body.tags).toEqual([
      'a',
      'b',
    ])
  })
})

describe('an organization', () => {
  // [4.3 sharing tags of an organization]
  it('is tagged by administrators of level 1 only: otherwise it could read records of others (4.3)', async () => {
    const update = (as: MadeUser, tags: string[] | null) => app.gql(as, UPDATE_TAGS, { id: owner.id, patch: { tags } })
    expect(code(await update(ownerAdmin, ['owners', 'shared']))).toBe('FORBIDDEN')
    expect(code(await update(ownerAdmin, null))).toBe('FORBIDDEN')
    expect((await update(ownerAdmin, ['owners'])).errors).toBeUndefined()
    expect((await update(centerAdmin, ['owners', 'more'])).data.updateOrganization.tags).toEqual(['owners', 'more'])
    await update(centerAdmin, ['owners'])
  })
})

describe('a shared form', () => {
  const make = async (input: object): Promise<string> => {
    const { data } = await app.gql(
      centerAdmin,
      'mutation ($input: CreateFormInput!) { createForm(input: $input) { id } }',
      { input },
    )
    return data.createForm.id as string
  }
  const attach = (as: MadeUser, organization: MadeOrganization, forms: string[]) =>
    app.gql(
      as,
      `mutation ($id: ID!, $patch: UpdateOrganizationInput!) {
        updateOrganization(id: $id, patch: $patch) { categories { formIds forms { id isTemplate } } }
      }`,
      { id: organization.id, patch: { categories: [{ name: 'Topic', forms }] } },
    )

  it('shows a tagged organization the questions, but not the addresses', async () => {
    const id = await make({
      name: 'Template',
      organization: owner.id,
      tags: ['shared'],
      email: ['owner@example.com'],
      fields: [{ key: 'q' }],
    })
    const query = 'query ($id: ID!) { form(id: $id) { email fields { key } } }'
    expect((await app.gql(readerAdmin, query, { id })).data.form).toEqual({ email: [], fields: [{ key: 'q' }] })
    expect((await app.gql(ownerAdmin, query, { id })).data.form.email).toEqual(['owner@example.com'])
    const listed = await app.gql(readerAdmin, '{ forms(first: 100) { edges { node { id email } } } }')
    expect(JSON.stringify(listed.data)).not.toContain('owner@example.com')
  })

  // [4.3 sharing of forms]
  it('may be attached to categories where it is shared, and stays attached when it is no longer shared', async () => {
    const id = await make({ name: 'Attachable', organization: owner.id, tags: ['readers'] })
    const { data } = await attach(readerAdmin, reader, [id])
    expect(data.updateOrganization.categories).toEqual([{ formIds: [id], forms: [{ id, isTemplate: true }] }])
    expect(code(await attach(belowAdmin, below, [id]))).toBe('NOT_FOUND')

    await app.gql(centerAdmin, 'mutation ($id: ID!) { updateForm(id: $id, patch: { tags: [] }) { id } }', { id })
    const again = await attach(readerAdmin, reader, [id])
    expect(again.data.updateOrganization.categories).toEqual([{ formIds: [id], forms: [] }])
  })
})

describe('a draft', () => {
  it('of an article is not shared until it is published', async () => {
    const { data } = await app.gql(
      centerAdmin,
      'mutation ($input: CreateArticleInput!) { createArticle(input: $input) { id status } }',
      { input: { title: 'Soon', organization: owner.id, tags: ['shared'] } },
    )
    const { id, status } = data.createArticle
    expect(status).toBe('DRAFT')
    const fetch = (as: MadeUser) => app.gql(as, 'query ($id: ID!) { article(id: $id) { id } }', { id })
    expect([code(await fetch(readerAdmin)), code(await fetch(ownerAdmin))]).toEqual(['NOT_FOUND', undefined])
    await app.gql(ownerAdmin, 'mutation ($id: ID!) { updateArticle(id: $id, patch: { status: PUBLISHED }) { id } }', {
      id,
    })
    expect(code(await fetch(readerAdmin))).toBeUndefined()
  })
})
