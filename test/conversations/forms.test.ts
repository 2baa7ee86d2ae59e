import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startMailServer, type MailServer } from '../support/mail-server.js'
import type { MadeUser } from '../support/factories.js'
import { newContact, rule, startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

interface ShownForm {
  formId: string
  name: string
  category: string | null
  categoryIndex: number | null
  values: object
  completedAt: string | null
}

interface FormsShown {
  category: string | null
  forms: ShownForm[]
  results: ShownForm[]
  messages: { edges: { node: ShownMessage }[] }
}

interface ShownMessage {
  type: string
  role: string
  text: string
  isBackchannel: boolean
  meta: object | null
  results: ShownForm[] | null
}

const FORM = '{ formId name category categoryIndex values completedAt }'
const SHOW = `query ($id: ID!) { conversation(id: $id) { category forms ${FORM} results ${FORM}
  messages(first: 100) { edges { node { type role text isBackchannel meta
    results { name values ... on FormResult { formId category categoryIndex completedAt } ... on ReportedResult { custom } } } } } } }`

describe('forms in conversations (2.8, 2.12, 4.6, 4.8)', () => {
  let fixture: ConversationFixture
  let mail: MailServer
  let boat: string
  let rental: string
  let consent: string
  let vip: string

  async function makeForm(input: Record<string, unknown>, as: MadeUser = fixture.admin): Promise<string> {
    const { value, code, message } = await fixture.run<{ id: string }>(
      as,
      'mutation ($input: CreateFormInput!) { createForm(input: $input) { id } }',
      { input },
    )
    if (code) throw new Error(`${code}: ${message}`)
    return value.id
  }

  beforeAll(async () => {
    mail = await startMailServer()
    fixture = await startConversationFixture({ SMTP_URL: mail.url, MAIL_FROM: 'desk@acme.example' })
    boat = await makeForm({
      name: 'Boat',
      email: ['sales@acme.example', 'boss@acme.example'],
      fields: [
        { key: 'brand', label: 'Which brand?', type: 'SELECT', options: ['Sloop', 'Yawl'], required: true },
        { key: 'feet', type: 'NUMBER', min: 6 },
        { key: 'note', default: 'none yet' },
        { key: 'phone', type: 'TELEPHONE' },
      ],
    })
    rental = await makeForm({ name: 'Rental', fields: [{ key: 'days', type: 'NUMBER', required: true }] })
    consent = await makeForm({
      name: 'Consent',
      isStatic: true,
      fields: [
        { key: 'agreed', type: 'BOOLEAN', required: true },
        { key: 'mail', type: 'EMAIL', profileField: 'email' },
        { key: 'town', profileField: 'address.city' },
      ],
    })
    const organized = await fixture.run(
      fixture.admin,
      'mutation ($id: ID!, $patch: UpdateOrganizationInput!) { updateOrganization(id: $id, patch: $patch) { id } }',
      {
        id: fixture.organization.id,
        patch: {
          country: 'NL',
          categories: [
            { name: 'Sales', forms: [boat] },
            { name: 'Hire', forms: [rental, boat] },
          ],
        },
      },
    )
    expect(organized.code).toBeUndefined()
    vip = await fixture.makeChannel('VIP', [fixture.ben])
    await fixture.makeWorkflow([
      rule(
        { channels: [vip] },
        {
          conditions: {
            any: [
              { fact: 'forms', path: '.category0.Boat.brand', operator: 'equal', value: 'Yawl' },
              { fact: 'forms', path: `.category0.${boat}.feet`, operator: 'greaterThan', value: 100 },
              { fact: 'forms', path: '.Consent.agreed', operator: 'equal', value: true },
              { fact: 'results', path: '.names', operator: 'contains', value: 'Rental' },
            ],
          },
        },
      ),
    ])
  })
  afterAll(async () => {
    await fixture.close()
    await mail.close()
  })

  async function show(id: string): Promise<FormsShown> {
    return (await fixture.run<FormsShown>(fixture.admin, SHOW, { id })).value
  }

  const start = async (input: object = {}): Promise<string> => (await fixture.create({ ...input })).id
  const form = (id: string, text: string, meta: object) => fixture.send(fixture.ann, id, { type: 'FORM', text, meta })
  const field = (id: string, text: string, meta: object) => fixture.send(fixture.ann, id, { type: 'FIELD', text, meta })
  const active = ({ forms }: FormsShown) => forms.map(({ name, categoryIndex }) => `${categoryIndex} ${name}`)

  // [2.8 forms] [2.4 categories forms]
  it("attaches static forms at the start, and a category's forms when it is set (2.4, 4.6)", async () => {
    const id = await start()
    expect(active(await show(id))).toEqual(['null Consent'])
    await fixture.command(fixture.ann, id, '/set @category Hire')
    expect(active(await show(id))).toEqual(['null Consent', '1 Rental', '1 Boat'])
    await fixture.command(fixture.ann, id, '/set @category 0')
    const shown = await show(id)
    expect(active(shown)).toEqual(['null Consent', '1 Rental', '1 Boat', '0 Boat'])
    expect(shown.forms[3]).toEqual({
      formId: boat,
      name: 'Boat',
      category: 'Sales',
      categoryIndex: 0,
      values: { note: 'none yet' },
      completedAt: null,
    })
    await fixture.command(fixture.ann, id, '/set @category 0')
    expect((await show(id)).forms).toHaveLength(4)
    expect(active(await show(await start({ category: 'Sales' })))).toEqual(['null Consent', '0 Boat'])
  })

  describe('a form message', () => {
    // [2.12 form and field form, form and field categoryIndex] [2.9 type form]
    it('adds and removes the form in the active category, or in the one it names', async () => {
      const id = await start({ category: 'Sales' })
      expect((await form(id, '+Rental', { form: rental })).code).toBeUndefined()
      expect((await form(id, '+Rental', { form: rental, categoryIndex: 1 })).code).toBeUndefined()
      expect((await form(id, '+ Boat', { category: 'Hire' })).code).toBeUndefined()
      expect(active(await show(id))).toEqual(['null Consent', '0 Boat', '0 Rental', '1 Rental', '1 Boat'])
      await form(id, '-Rental', { form: rental })
      await form(id, '-Boat', { form: boat, category: 'Hire' })
      expect(active(await show(id))).toEqual(['null Consent', '0 Boat', '1 Rental'])
    })

    it('keeps the values when the form is added again', async () => {
      const id = await start({ category: 'Sales' })
      await field(id, '.brand Yawl', { form: boat })
      await form(id, '+Boat', { form: boat })
      expect((await show(id)).forms[1]!.values).toMatchObject({ brand: 'Yawl' })
    })

    it('is refused without a sign, for an unknown form or category, and for a form of another tenant', async () => {
      const id = await start({ category: 'Sales' })
      const foreign = await fixture.makeOrganization()
      const foreignAdmin = await fixture.makeUser({ organization: foreign, role: 'admin' })
      const foreignForm = await makeForm({ name: 'Boat' }, foreignAdmin)
      const unsigned = await form(id, 'Boat', { form: boat })
      expect(unsigned).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'text' } })
      for (const wanted of [foreignForm, '018f0000-0000-7000-8000-000000000000', 'No such form']) {
        const refused = await form(id, '+X', { form: wanted })
        expect(refused).toMatchObject({ code: 'NOT_FOUND', details: { field: 'meta.form' } })
      }
      expect(await form(id, '+Boat', { form: boat, categoryIndex: 7 })).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'meta.categoryIndex' },
      })
      expect(await form(id, '-Rental', { form: rental })).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'meta.form' },
      })
      expect((await show(id)).messages.edges).toEqual([])
    })
  })

  describe('a field message', () => {
    it("stores a value in the definition's form, and completes the form", async () => {
      const id = await start({ category: 'Sales' })
      await field(id, '.feet 30', { form: boat })
      await field(id, '.phone 020 1234567', { form: boat })
      expect((await show(id)).forms[1]).toMatchObject({
        values: { note: 'none yet', feet: 30, phone: '+31201234567' },
        completedAt: null,
      })
      await field(id, '.brand Yawl', { form: boat })
      const [, filled] = (await show(id)).forms
      expect(filled!.values).toEqual({ note: 'none yet', feet: 30, phone: '+31201234567', brand: 'Yawl' })
      expect(Date.parse(filled!.completedAt!)).not.toBeNaN()
      await field(id, '.brand', { form: boat })
      expect((await show(id)).forms[1]).toMatchObject({ values: { feet: 30 }, completedAt: null })
    })

    // [2.12 form and field form, field, field category] [2.9 type field]
    it('may name the field by its id, and a category that is not active', async () => {
      const { value } = await fixture.run<{ fields: { id: string; key: string }[] }>(
        fixture.admin,
        'query ($id: ID!) { form(id: $id) { fields { id key } } }',
        { id: rental },
      )
      const id = await start({ category: 'Hire' })
      await fixture.command(fixture.ann, id, '/set @category Sales')
      const meta = { form: rental, field: value.fields[0]!.id, category: 'Hire' }
      expect((await field(id, '.days 3', meta)).code).toBeUndefined()
      expect((await show(id)).forms.find(({ name }) => name === 'Rental')).toMatchObject({ values: { days: 3 } })
    })

    it.each([
      ['a value that the field does not take', '.brand Ketch', {}, 'BAD_USER_INPUT'],
      ['a number below the least', '.feet 2', {}, 'BAD_USER_INPUT'],
      ['an unknown field', '.colour red', {}, 'BAD_USER_INPUT'],
      ['an unknown field id', '.brand Yawl', { field: 'nope' }, 'BAD_USER_INPUT'],
      ['no dot', 'brand Yawl', {}, 'BAD_USER_INPUT'],
      ['a key of Object.prototype', '.__proto__ x', {}, 'BAD_USER_INPUT'],
      ['no form', '.brand Yawl', { form: null }, 'BAD_USER_INPUT'],
      ['a form that is not active', '.days 3', { form: 'Rental' }, 'UNPROCESSABLE'],
    ])('is refused with %s', async (_, text, meta, code) => {
      const id = await start({ category: 'Sales' })
      expect(await field(id, text, { form: boat, ...meta })).toMatchObject({ code })
      expect((await show(id)).messages.edges).toEqual([])
    })

    it('can be sent by the consumer, from the web widget', async () => {
      const id = await start({ category: 'Sales' })
      const { value } = await fixture.run<{ token: string }>(
        fixture.bot,
        'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
        { id },
      )
      const sent = await fixture.send(value.token, id, { type: 'FIELD', text: '.brand Sloop', meta: { form: boat } })
      expect(sent.code).toBeUndefined()
      expect((await show(id)).forms[1]!.values).toMatchObject({ brand: 'Sloop' })
    })

    // [2.12 form and field form, form and field categoryIndex] [5]
    it('shows a guest a form that was requested from it, but not one that it requests itself', async () => {
      const id = await start({ category: 'Sales' })
      const { value: guest } = await fixture.run<{ token: string }>(
        fixture.bot,
        'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
        { id },
      )
      // By its name, and with its place: the category is another when it is filled in.
      const asked = { type: 'FORM', role: 'AGENT', isBackchannel: false }
      await fixture.send(fixture.ann, id, { ...asked, text: '+Boat' })
      await fixture.send(fixture.ann, id, { ...asked, isBackchannel: true, text: '+Rental' })
      await fixture.send(fixture.ann, id, { ...asked, text: '-Rental', meta: { form: rental } })
      expect((await fixture.send(guest.token, id, { type: 'FORM', text: '+Consent' })).code).toBeUndefined()
      await fixture.command(fixture.ann, id, '/set @category Hire')
      const { value } = await fixture.run<{
        messages: { edges: { node: { text: string; form: object; meta: object } }[] }
      }>(
        guest.token,
        `query ($id: ID!) { conversation(id: $id) { messages(first: 50) { edges { node {
          text meta form { id name fields { key label type required options } } } } } } }`,
        { id },
      )
      const seen = value.messages.edges.map(({ node }) => node)
      expect(seen.map(({ text, form: shown }) => [text, shown !== null])).toEqual([
        ['+Boat', true],
        ['-Rental', false],
        ['+Consent', false],
      ])
      expect(seen[0]).toMatchObject({
        meta: { form: boat, categoryIndex: 0 },
        form: {
          id: boat,
          name: 'Boat',
          fields: [{ key: 'brand', required: true, options: ['Sloop', 'Yawl'] }, {}, {}, {}],
        },
      })
      expect(
        (await fixture.send(guest.token, id, { type: 'FIELD', text: '.brand Yawl', meta: seen[0]!.meta })).code,
      ).toBeUndefined()
      const filled = (await show(id)).forms.find(
        ({ formId: each, categoryIndex }) => each === boat && categoryIndex === 0,
      )
      expect(filled).toMatchObject({ values: { brand: 'Yawl' } })
      expect(await fixture.run(guest.token, 'query ($id: ID!) { form(id: $id) { id } }', { id: boat })).toMatchObject({
        code: 'FORBIDDEN',
      })
    })
  })

  // [4.6 fact forms by name, fact forms by id, fact forms by category, forms of a topic by name, forms of a topic by
  // id]
  it('rules use form values (4.6): topic forms by category, name and id, static forms by name', async () => {
    for (const fill of [
      async (id: string) => field(id, '.brand Yawl', { form: boat }),
      async (id: string) => field(id, '.feet 101', { form: boat }),
      async (id: string) => field(id, '.agreed true', { form: consent }),
    ]) {
      const id = await start({ category: 'Sales' })
      await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'before' })
      expect((await fixture.show(id)).channels).toEqual([])
      await fill(id)
      await fixture.command(fixture.ann, id, '/notify')
      expect((await fixture.show(id)).channelsOffline).toEqual([vip])
    }
  })

  it("a consumer's field message is applied before the rules run", async () => {
    const id = await start({ category: 'Sales' })
    await fixture.send(fixture.bot, id, { role: 'CONTACT', type: 'FIELD', text: '.brand Yawl', meta: { form: boat } })
    expect(await fixture.show(id)).toMatchObject({ status: 'QUEUED', channelsOffline: [vip], preview: null })
  })

  describe('/send', () => {
    async function filled(): Promise<string> {
      const id = await start({ category: 'Hire', meta: { url: 'https://acme.example/boats' } })
      await fixture.command(fixture.ann, id, '/set @category Sales')
      await field(id, '.brand Yawl', { form: boat })
      await field(id, '.days 3', { form: rental, category: 'Hire' })
      return id
    }

    // [4.8 /send, /send message, /send all] [2.8 results] [2.9 type results] [2.12 results]
    it('moves all completed forms of all categories to the results, with one results message', async () => {
      const id = await filled()
      const before = await show(id)
      expect((await fixture.command(fixture.ann, id, '/send')).code).toBeUndefined()
      const after = await show(id)
      expect(active(after)).toEqual(['null Consent', '1 Boat'])
      const completed = before.forms.filter(({ completedAt }) => completedAt !== null)
      expect(completed).toHaveLength(2)
      expect(after.results).toEqual(completed)
      expect(after.messages.edges.at(-1)!.node).toEqual({
        type: 'RESULTS',
        role: 'SYSTEM',
        isBackchannel: true,
        text: 'Rental, Boat',
        results: completed,
        meta: { url: 'https://acme.example/boats' },
      })
      await fixture.command(fixture.ann, id, '/notify')
      expect((await fixture.show(id)).channelsOffline).toEqual([vip])
    })

    // [4.8 /send form] [2.12 /send]
    it('with meta.form moves that form of the active category only', async () => {
      const id = await filled()
      expect(await fixture.command(fixture.ann, id, '/send', { meta: { form: rental } })).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'meta.form' },
      })
      expect((await fixture.command(fixture.ann, id, '/send', { meta: { form: boat } })).code).toBeUndefined()
      const shown = await show(id)
      expect(shown.results.map(({ name, category }) => [name, category])).toEqual([['Boat', 'Sales']])
      expect(active(shown)).toEqual(['null Consent', '1 Rental', '1 Boat'])
      expect(shown.messages.edges.at(-1)!.node.meta).toEqual({ url: 'https://acme.example/boats', form: boat })
    })

    it('without completed forms has no effect, and with meta.form is refused', async () => {
      const id = await start({ category: 'Sales' })
      expect((await fixture.command(fixture.ann, id, '/send')).code).toBeUndefined()
      expect((await show(id)).messages.edges.map(({ node }) => node.type)).toEqual(['COMMAND'])
      expect((await fixture.command(fixture.ann, id, '/send', { meta: { form: boat } })).code).toBe('UNPROCESSABLE')
    })

    // [2.8 results] [2.9 results]
    it('works over REST, where conversation and message show the results (2.8, 2.9)', async () => {
      const id = await filled()
      const path = `/v2/conversations/${id}/messages`
      const sent = await fixture.rest(fixture.ann, 'POST', path, { type: 'command', text: '/send' })
      expect(sent.status).toBe(201)
      const { body } = await fixture.rest(fixture.bot, 'GET', `/v2/conversations/${id}?populate=messages`)
      expect(body.results).toMatchObject([
        { form: rental, name: 'Rental', category: 'Hire', categoryIndex: 1, values: { days: 3 } },
        { form: boat, name: 'Boat', values: { brand: 'Yawl' }, completedAt: expect.any(String) },
      ])
      expect(body.messages.at(-1)).toMatchObject({ type: 'results', role: 'system', results: body.results })
    })

    it('keeps the additional keys of what a bot reports, and refuses known ones among them', async () => {
      const id = await start()
      const reported = { name: 'Found', values: { hits: 2 } }
      const send = (custom: object) => {
        return fixture.send(fixture.bot, id, { type: 'REPORT', text: 'found', results: [{ ...reported, custom }] })
      }
      expect((await send({ score: 0.5 })).code).toBeUndefined()
      expect((await show(id)).messages.edges.at(-1)!.node.results).toEqual([{ ...reported, custom: { score: 0.5 } }])
      const { body } = await fixture.rest(fixture.bot, 'GET', `/v2/conversations/${id}?populate=messages`)
      expect(body.messages.at(-1).results).toEqual([{ ...reported, score: 0.5 }])
      expect(await send({ values: 1 })).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: 'results[0].custom.values' },
      })
    })

    it('makes a static form available again', async () => {
      const id = await start()
      await field(id, '.agreed yes', { form: consent }).then(({ code }) => expect(code).toBe('BAD_USER_INPUT'))
      await field(id, '.agreed true', { form: consent })
      await fixture.command(fixture.ann, id, '/send')
      expect((await show(id)).forms).toEqual([])
      await field(id, '.agreed false', { form: consent })
      expect(active(await show(id))).toEqual(['null Consent'])
    })

    // [4.8 /send mails]
    it('mails each result to the addresses of its form, and retries when the mail server fails', async () => {
      const id = await filled()
      const jobs = () => fixture.server.database.query(`select 1 from job where kind = 'results.mail'`)
      // Those of the tests before would take the refusal.
      await until(jobs, (left) => left.length === 0)
      mail.mails.length = 0
      mail.refuse(1)
      await fixture.command(fixture.ann, id, '/send')
      const mails = await until(
        async () => [...mail.mails],
        (sent) => sent.length >= 2,
      )
      expect(mails.map(({ to }) => to).toSorted()).toEqual(['boss@acme.example', 'sales@acme.example'])
      for (const { body } of mails) {
        expect(body).toContain('Subject: Results of Boat: Carl')
        expect(body).toContain('From: desk@acme.example')
        expect(body).toContain('Form: Boat (Sales)')
        expect(body).toContain('Which brand?: Yawl')
        expect(body).toContain('note: none yet')
      }
      await until(jobs, (left) => left.length === 0)
    })

    it('mails nothing to the addresses of an unrelated organization whose form is shared by a tag (4.3)', async () => {
      const center = await fixture.makeOrganization({ name: 'Center' })
      const one = await fixture.makeOrganization({ parent: center })
      const two = await fixture.makeOrganization({ parent: center })
      const centerAdmin = await fixture.makeUser({ organization: center, role: 'admin' })
      const tag = 'mutation ($id: ID!) { updateOrganization(id: $id, patch: { tags: ["pool"] }) { id } }'
      expect((await fixture.run(centerAdmin, tag, { id: one.id })).code).toBeUndefined()
      const shared = await makeForm(
        {
          organization: two.id,
          name: 'Shared',
          tags: ['pool'],
          email: ['two@example.com'],
          fields: [{ key: 'secret' }],
        },
        centerAdmin,
      )
      const bot = await fixture.makeUser({ organization: one, role: 'bot' })
      const { id } = await fixture.create({ contact: newContact() }, bot)
      mail.mails.length = 0
      expect(
        (await fixture.send(bot, id, { type: 'FORM', text: '+Shared', meta: { form: shared } })).code,
      ).toBeUndefined()
      await fixture.send(bot, id, { type: 'FIELD', text: '.secret x', meta: { form: shared } })
      expect((await fixture.command(bot, id, '/send')).code).toBeUndefined()
      // A job that there was would be done by then, and its mail sent.
      const jobs = () => fixture.server.database.query(`select 1 from job where kind = 'results.mail'`)
      await until(jobs, (left) => left.length === 0)
      expect(mail.mails).toEqual([])
    })
  })

  describe('a field that fills the profile (2.12, `key`)', () => {
    const profileOf = async (id: string) => {
      const { value } = await fixture.run<{ contact: { profile: Record<string, unknown> } }>(
        fixture.admin,
        'query ($id: ID!) { conversation(id: $id) { contact { profile { name email telephone address { city } } } } }',
        { id },
      )
      return value.contact.profile
    }

    // [2.12 form and field form, field key]
    it('fills the form and the contact', async () => {
      const id = await start()
      await field(id, '.mail Fred@Example.com', { form: consent })
      await field(id, '.town Utrecht', { form: consent })
      await field(id, '.value +31612345678', { key: 'telephone' })
      expect(
        await until(
          () => profileOf(id),
          ({ telephone }) => telephone !== null,
        ),
      ).toEqual({
        name: 'Carl',
        email: 'fred@example.com',
        telephone: '+31612345678',
        address: { city: 'Utrecht' },
      })
    })

    it('is refused for an unknown field, or an invalid value', async () => {
      const id = await start()
      const refused = await field(id, '.x y', { key: 'shoeSize' })
      expect(refused).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'meta.key' } })
      expect((await field(id, '.x y', { key: 'email' })).code).toBe('BAD_USER_INPUT')
    })
  })
})
