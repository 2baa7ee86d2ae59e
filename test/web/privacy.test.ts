import { expect, it } from '@jest/globals'
import { openZip } from '../privacy/exports.js'
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

  it('offers agents no erasure, and no export', async () => {
    const { office } = world
    const conversation = await office.arrive('Agatha', 'hello')
    const { data } = await office.gql(office.owner, CONTACT_OF, { id: conversation })
    const { page } = await world.openConsole(office.ann, `/contacts/${data.conversation.contactId as string}`)
    await page.getByRole('heading', { name: 'Agatha' }).waitFor()
    expect(await page.getByRole('button', { name: /Erase|Export/ }).count()).toBe(0)
  })
})
