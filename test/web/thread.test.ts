import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot, type Tab } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describeInBrowser('a conversation in the console', (world) => {
  const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
  async function open(who: 'ann' | 'bob', id: string): Promise<Tab> {
    const tab = await world.openConsole(world.office[who], `/c/${id}`)
    await tab.page.getByRole('log').waitFor()
    return tab
  }
  // oxlint-disable-next-line typescript/no-explicit-any
  async function run(query: string, variables: object): Promise<any> {
    const { data, errors } = await world.office.gql(world.office.owner, query, { ...variables })
    if (errors) throw new Error(errors[0]!.message)
    return data
  }

  it("has one draft in all of an agent's browsers, shows other viewers, and inserts an organization's canned responses", async () => {
    const organization = world.office.organization.id
    await run('mutation ($input: CreateCannedResponseInput!) { createCannedResponse(input: $input) { id } }', {
      input: { organization, shortcut: 'hours', text: 'We open at nine, {{ givenName }}.' },
    })
    const id = await world.office.arrive('Lena Vos', 'When do you open?')
    const here = await open('ann', id)
    await reply(here.page).fill(';hou')
    await here.page.getByRole('option', { name: /We open at nine, Lena/ }).waitFor()
    await reply(here.page).press('Enter')
    expect(await reply(here.page).inputValue()).toBe('We open at nine, Lena.')
    await here.page.getByText('Draft saved').waitFor()
    const there = await open('ann', id)
    await eventually(async () => (await reply(there.page).inputValue()) === 'We open at nine, Lena.')
    const bob = await open('bob', id)
    await bob.page.getByText('Ann de Vries is reading').waitFor()
    await here.page.getByText('Bob Jansen is reading').waitFor()
    await bob.page.getByRole('radio', { name: 'Note' }).check()
    // It is said for some seconds only: looked for from before it begins.
    await Promise.all([
      here.page.getByText('Bob Jansen is writing a note').waitFor(),
      bob.page.getByRole('textbox', { name: 'Note' }).pressSequentially('I think'),
    ])
    await reply(there.page).press('Control+Enter')
    await here.page.getByRole('log').getByText('We open at nine, Lena.').waitFor()
    // Sent there, it is no draft here.
    await eventually(async () => (await reply(here.page).inputValue()) === '')
  })

  it("says where new messages begin: above what others have said since, and not above the agent's own words", async () => {
    const id = await world.office.arrive('Vera Valk', 'a first question')
    const { page } = await open('ann', id)
    const [left, back] = ['blur', 'focus'].map((type) => `dispatchEvent(new Event('${type}'))`)
    const line = page.getByText('New messages', { exact: true })
    await page.evaluate(left!)
    await page.evaluate(back!)
    await reply(page).fill('my answer')
    await reply(page).press('Control+Enter')
    await page.getByRole('log').getByText('my answer').waitFor()
    await world.office.say(id, 'seen as it came')
    await page.getByRole('log').getByText('seen as it came').waitFor()
    expect(await line.count()).toBe(0)
    await page.evaluate(left!)
    await world.office.gql(
      world.office.ann,
      'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }',
      { c: id, m: { role: 'AGENT', text: 'from my telephone' } },
    )
    await world.office.say(id, 'came meanwhile')
    await line.waitFor()
    await page.evaluate(back!)
    const words = await page.getByRole('log').innerText()
    expect(words.indexOf('from my telephone')).toBeLessThan(words.indexOf('New messages'))
    expect(words.indexOf('New messages')).toBeLessThan(words.indexOf('came meanwhile'))
  })

  it('says of each message that did not arrive that it did not, also in the middle of a turn', async () => {
    const id = await world.office.arrive('Mia Roos', 'Where is my invoice?', { touchpoint: 'EMAIL' })
    for (const text of ['It was sent on Monday.', 'I send it again.'])
      await world.office.gql(
        world.office.ann,
        'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }',
        { c: id, m: { role: 'AGENT', text } },
      )
    const { database } = world.office.server
    const firstFailed = `select from delivery where conversation_id = $1 and status = 'failed' and message_id =
      (select id from message where conversation_id = $1 and text = 'It was sent on Monday.')`
    const failed = `update delivery set status = $2 where conversation_id = $1 and status = 'failed' and message_id =
      (select id from message where conversation_id = $1 and text = 'I send it again.') returning id`
    // There is no service of that kind.
    await eventually(async () => (await database.query(firstFailed, [id])).length === 1)
    await eventually(async () => (await database.query(failed, [id, 'sent'])).length === 1)
    const { page } = await open('ann', id)
    const log = page.getByRole('log')
    await log.getByText(/^Sent/).waitFor()
    await log.getByText(/^Not delivered/).waitFor()
    const words = await log.innerText()
    expect(words.indexOf('Not delivered')).toBeLessThan(words.indexOf('I send it again.'))
    await expectAccessible(page)
  })

  it('sends files, changes the contact, and fills the forms of the category', async () => {
    const organization = world.office.organization.id
    const form = await run('mutation ($input: CreateFormInput!) { createForm(input: $input) { id } }', {
      input: {
        organization,
        name: 'Your boat',
        fields: [{ key: 'length', label: 'Length', type: 'NUMBER', required: true }],
      },
    })
    await run(
      'mutation ($id: ID!, $patch: UpdateOrganizationInput!) { updateOrganization(id: $id, patch: $patch) { id } }',
      {
        id: organization,
        patch: { categories: [{ name: 'Berths', forms: [form.createForm.id] }] },
      },
    )
    const id = await world.office.arrive('Siobhán Ní Dhomhnaill', 'A berth, please')
    const { page } = await open('ann', id)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'keel.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') })
    await page.getByText('keel.png').waitFor()
    await page.locator('progress').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send' }).click()
    const image = page.getByRole('log').getByRole('img', { name: 'keel.png' })
    await image.waitFor()
    await eventually(async () => (await page.evaluate("document.querySelector('.log img').naturalWidth")) === 1)

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Bedrijf' }).fill('Meltemi Charter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.panel').getByText('Meltemi Charter').waitFor()

    await page.getByLabel('Category').selectOption('Berths')
    await page.getByRole('button', { name: 'Fill in Your boat' }).click()
    await page.getByRole('dialog').getByLabel('Length').fill('long')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('dialog').getByLabel('Length').fill('12')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('filled in').waitFor()
    await page.getByRole('button', { name: 'Send the filled forms' }).click()
    await page.getByRole('log').getByText('Your boat').last().waitFor()
    await keepScreenshot(page, 'forms')
    const resultsOf = 'query ($id: ID!) { conversation(id: $id) { results { name values } } }'
    const results = await eventually(
      async () => (await run(resultsOf, { id })).conversation.results,
      ({ length }) => length > 0,
    )
    expect(results).toMatchObject([{ name: 'Your boat', values: { length: 12 } }])
  })

  it('suggests merging contacts that may be one person, and merges after a confirmation', async () => {
    const first = await world.office.arrive('Kim Park', 'the first time')
    const { conversation } = await run('query ($id: ID!) { conversation(id: $id) { contactId } }', { id: first })
    const second = await world.office.arrive('Kim Park', 'the second time', { contact: { id: conversation.contactId } })
    const { page } = await open('ann', second)
    const offer = page.getByRole('region', { name: 'Maybe the same person' })
    await offer.waitFor()
    await offer.getByRole('button', { name: 'Merge into this one' }).click()
    await offer.getByRole('button', { name: 'Merge: it cannot be undone' }).click()
    await page.getByRole('log').getByText('the first time').waitFor()
    const merged = await run('query ($id: ID!) { conversation(id: $id) { status } }', { id: first })
    expect(merged.conversation.status).toBe('ARCHIVED')
  })
})
