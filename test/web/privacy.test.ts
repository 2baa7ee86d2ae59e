import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { openZip } from '../privacy/exports.js'
import { insertRun } from '../retention/insert-run.js'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

const CONTACT_OF = 'query ($id: ID!) { conversation(id: $id) { contactId } }'

describeInBrowser('privacy in the console', (world) => {
  it('erases a contact from its page while its conversation waits, and shows how far it is', async () => {
    const { office } = world
    const conversation = await office.arrive('Erasmus', 'forget me')
    const { data } = await office.gql(office.owner, CONTACT_OF, { id: conversation })
    const contact = data.conversation.contactId as string
    const { page } = await world.openConsole(office.owner, `/contacts/${contact}`)
    await page.getByRole('heading', { name: 'Erasmus' }).waitFor()
    await page.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase this contact?' })
    await dialog.getByRole('combobox', { name: 'Reason' }).selectOption({ label: 'The law demands it' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Privacy' }).waitFor()
    const row = page.getByRole('row').filter({ hasText: contact })
    await row.getByText('The law demands it').waitFor()
    await row.getByText(/^Conversations: 1, messages: [1-9]/).waitFor()
    expect(await page.getByText('Erasmus').count()).toBe(0)
    await expectAccessible(page)
    await keepScreenshot(page, 'privacy')
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
    await keepScreenshot(page, 'privacy-375')
    await row.getByRole('link', { name: contact }).click()
    await page.getByText('eraseContact').waitFor()
    await page.goto(`${office.url}/console/contacts/${contact}`)
    await page.getByText('There is no such contact').waitFor()
  })

  it('exports a contact from its page, with notes, and downloads the file', async () => {
    const { office } = world
    const conversation = await office.arrive('Exa', 'what do you keep?')
    const { data } = await office.gql(office.owner, CONTACT_OF, { id: conversation })
    const { page } = await world.openConsole(office.owner, `/contacts/${data.conversation.contactId as string}`)
    const section = page.getByRole('region', { name: 'Export' })
    await section.getByRole('checkbox', { name: 'With notes and back-channel messages' }).check()
    await section.getByRole('button', { name: 'Export contact' }).click()
    const line = section.getByRole('list', { name: 'Exports' }).getByRole('listitem')
    await line.getByText('Ready').waitFor()
    expect(await line.innerText()).toMatch(/with notes · \d+ kB · until /)
    await expectAccessible(page)
    await keepScreenshot(page, 'export')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'export-dark')
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
    await keepScreenshot(page, 'export-375')
    // The server's own address is another in tests.
    const { pathname, search } = new URL((await line.getByRole('link', { name: 'Download' }).getAttribute('href'))!)
    const response = await fetch(office.url + pathname + search)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="contact-/)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${office.url}/console/admin/privacy`)
    const exported = page.getByRole('region', { name: 'Exports' }).getByRole('row')
    await exported
      .filter({ hasText: data.conversation.contactId as string })
      .getByText(/^Ready until .*, with notes$/)
      .waitFor()
    const zip = await openZip(Buffer.from(await response.arrayBuffer()))
    expect(zip.text(`conversations/${conversation}.html`)).toContain('what do you keep?')
  })

  it('holds contacts from their page and by search, says which hold blocks an erasure, and releases it', async () => {
    const { office } = world
    const conversation = await office.arrive('Holda Held', 'keep me')
    const { data } = await office.gql(office.owner, CONTACT_OF, { id: conversation })
    const contact = data.conversation.contactId as string
    const { page } = await world.openConsole(office.owner, `/contacts/${contact}`)
    await page.getByRole('heading', { name: 'Holda Held' }).waitFor()
    await page.getByRole('button', { name: 'Hold' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a hold' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Case 7')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A court asked for it')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Make a hold' }).click()
    await dialog.waitFor({ state: 'detached' })
    const hold = page.getByRole('row').filter({ hasText: 'Case 7' })
    await hold.getByText('contacts: 1').waitFor()

    await page.getByRole('button', { name: 'Make a hold' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Case 8')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Another court')
    await dialog.getByRole('searchbox', { name: 'Contacts' }).fill('Holda')
    await dialog.getByRole('button', { name: /^Holda Held/ }).click()
    await expectAccessible(page)
    await keepScreenshot(page, 'hold-dialog')
    await dialog.getByRole('button', { name: 'Make a hold' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Case 8' }).waitFor()

    await office.gql(office.owner, 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }', {
      id: contact,
    })
    await page.reload()
    const erasure = page.getByRole('row').filter({ hasText: contact })
    await erasure.getByText('Blocked by a hold').waitFor()
    await erasure.getByText('Case 7, Case 8').waitFor()
    await page.getByText('1 erasure waits for the release of holds').waitFor()
    await page.getByText('Case 7 (1), Case 8 (1)').waitFor()
    const [list] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the list' }).click(),
    ])
    expect(await readFile(await list.path(), 'utf8')).toContain(`"contact":"${contact}"`)
    await expectAccessible(page)
    await keepScreenshot(page, 'holds')
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
    await keepScreenshot(page, 'holds-375')
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const name of ['Case 7', 'Case 8']) {
      await page.getByRole('button', { name: `Release: ${name}` }).click()
      const release = page.getByRole('dialog', { name: 'Release this hold?' })
      await release.getByRole('button', { name: 'Release' }).click()
      await release.waitFor({ state: 'detached' })
    }
    await page.getByText('Blocked by a hold').waitFor({ state: 'detached' })
  })

  it('sets a term of retention once it has shown what would go, changes and ends it', async () => {
    const { office } = world
    await office.arrive('Reta', 'how long do you keep this?')
    const { page } = await world.openConsole(office.owner, '/admin/privacy')
    await page.getByText('Nothing is erased by itself.').waitFor()
    await page.getByRole('button', { name: 'Set a term' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set a term of retention' })
    await dialog
      .getByRole('status')
      .filter({ hasText: /^0 of \d+ would go\.$/ })
      .waitFor()
    // What cannot be counted can still be confirmed; the server refuses this one all the same.
    await dialog.getByRole('spinbutton', { name: 'Days after which it goes' }).fill('5000')
    await dialog.getByRole('checkbox', { name: 'Erase that much at once' }).check()
    await dialog.getByRole('button', { name: 'Set a term' }).click()
    await dialog.getByRole('alert').first().waitFor()
    await dialog.getByRole('checkbox').uncheck()
    await dialog.getByRole('spinbutton', { name: 'Days after which it goes' }).fill('90')
    await dialog.getByRole('status').filter({ hasText: 'would go' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'retention-dialog')
    await dialog.getByRole('button', { name: 'Set a term' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = page.getByRole('region', { name: 'Retention' }).getByRole('row').filter({ hasText: '90 days' })
    await row.getByText(/^Begins /).waitFor()
    await page.getByRole('button', { name: 'Set a term' }).click()
    await dialog.getByRole('status').filter({ hasText: 'would go' }).waitFor()
    await dialog.getByRole('button', { name: 'Set a term' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const { data } = await office.gql(office.owner, 'query { retentionPolicies { nodes { id } } }')
    const run = await insertRun(office, data.retentionPolicies.nodes[0].id as string)
    await office.server.database.query(
      `update retention_run set erased = 12, held = 5, status = 'running', kept = (
         select jsonb_agg(jsonb_build_object('id', $1::text, 'holds', jsonb_build_array(jsonb_build_object('id', $1::text, 'name', 'Case 7'))))
         from generate_series(1, 5)) where id = $1`,
      [run],
    )
    await page.reload()
    const runs = page.getByRole('region', { name: 'Runs' })
    await runs.getByText('Under way').waitFor()
    await runs.getByText('and 2 more').waitFor()
    const kept = page.getByRole('region', { name: 'What is kept, where and how long' })
    const conversations = kept.getByRole('row').filter({ hasText: 'Conversations and messages' })
    await conversations.getByText('90 days').waitFor()
    await conversations.getByText('Erased: 12, kept by holds: 5, failed: 0').waitFor()
    await kept.getByRole('row').filter({ hasText: 'Contacts and notes' }).getByText('no term is set').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'retention')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'retention-dark')
    await page.setViewportSize({ width: 375, height: 812 })
    await expectAccessible(page)
    await keepScreenshot(page, 'retention-375')
    await row.getByRole('button', { name: 'End: Conversations' }).click()
    await page.getByRole('dialog', { name: 'End this term?' }).getByRole('button', { name: 'End' }).click()
    await row.getByText('Ended').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
  })

  it('offers agents no erasure, and no export', async () => {
    const { office } = world
    const conversation = await office.arrive('Agatha', 'hello')
    const { data } = await office.gql(office.owner, CONTACT_OF, { id: conversation })
    const { page } = await world.openConsole(office.ann, `/contacts/${data.conversation.contactId as string}`)
    await page.getByRole('heading', { name: 'Agatha' }).waitFor()
    expect(await page.getByRole('button', { name: /Erase|Export/ }).count()).toBe(0)
  })
})
