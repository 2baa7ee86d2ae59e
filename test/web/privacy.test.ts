import { expect, it } from '@jest/globals'
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

  it('offers agents no erasure', async () => {
    const { office } = world
    const conversation = await office.arrive('Agatha', 'hello')
    const { data } = await office.gql(office.owner, CONTACT_OF, { id: conversation })
    const { page } = await world.openConsole(office.ann, `/contacts/${data.conversation.contactId as string}`)
    await page.getByRole('heading', { name: 'Agatha' }).waitFor()
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0)
  })
})
