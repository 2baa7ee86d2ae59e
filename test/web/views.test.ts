import { expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('views, contacts and the visitor in the console', (world) => {
  it('lists what is closed, narrowed by agent and label, and opens one beside the list', async () => {
    const { office } = world
    const take = async (id: string, who = office.ann): Promise<void> => {
      await office.gql(who, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
    }
    const [open, closed, other] = [
      await office.arrive('Oda Open', 'still here'),
      await office.arrive('Clara Closed', 'all is well'),
      await office.arrive('Cem Closed', 'thank you'),
    ]
    await take(open)
    await take(closed)
    await take(other, office.bob)
    const { data } = await office.gql(office.owner, 'mutation { createLabel(input: { name: "Refund" }) { id } }')
    await office.gql(
      office.ann,
      'mutation ($id: ID!, $add: [ID!]) { setLabels(conversation: $id, add: $add) { id } }',
      {
        id: closed,
        add: [data.createLabel.id],
      },
    )
    for (const [who, id] of [
      [office.ann, closed],
      [office.bob, other],
    ] as const)
      await office.gql(who, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', { id })

    const { page } = await world.openConsole(office.ann, '/mine')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Closed' }).click()
    const list = page.getByRole('list', { name: 'Closed' })
    await list.getByText('Clara Closed').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(2)
    // The last that was closed is first.
    expect(await list.getByRole('listitem').first().innerText()).toContain('Cem Closed')
    await expectAccessible(page)
    await keepScreenshot(page, 'view-closed')
    await page.getByRole('combobox', { name: 'Label' }).selectOption('Refund')
    await list.getByText('Cem Closed').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('Bob Jansen')
    await page.getByText('Nothing fits these filters.').waitFor()
    await page.getByRole('button', { name: 'Clear them' }).click()
    await list.getByRole('link', { name: /Clara Closed/ }).click()
    await page.getByRole('log').getByText('all is well').waitFor()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption('open')
    await page.getByRole('list', { name: 'All open' }).getByText('Oda Open').waitFor()
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('Service yard')
    await page.getByRole('list', { name: 'All open' }).getByText('Oda Open').waitFor()
    await page.setViewportSize({ width: 375, height: 812 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'view-open-dark-375')
  }, 240_000)

  it('finds a contact, and shows its conversations and where the visitor is', async () => {
    const { office } = world
    const id = await office.arrive('Vera Visitor', 'which pier?', {
      messages: [
        { role: 'CONTACT', text: 'which pier?', meta: { title: 'Piers', url: 'https://harbour.example/piers' } },
      ],
    })
    const { page } = await world.openConsole(office.owner, `/c/${id}`)
    const visitor = page.getByRole('region', { name: 'Visitor' })
    expect(await visitor.getByRole('link', { name: 'Piers' }).getAttribute('href')).toBe(
      'https://harbour.example/piers',
    )
    await page.getByRole('link', { name: 'Live' }).waitFor()
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('searchbox', { name: 'Find a contact' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('vera')
    const contacts = page.getByRole('list', { name: 'Contacts' })
    await contacts.getByRole('link', { name: /Vera Visitor/ }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'contacts')
    await contacts.getByRole('link', { name: /Vera Visitor/ }).click()
    await page.getByRole('heading', { name: 'Vera Visitor' }).waitFor()
    const threads = page.getByRole('region', { name: 'Timeline' })
    await threads.getByRole('link', { name: /which pier/ }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'contact-of-visitor')
    await page.setViewportSize({ width: 375, height: 812 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'contact-of-visitor-dark-375')
    await threads.getByRole('link', { name: /which pier/ }).click()
    await page.getByRole('log').getByText('which pier?').waitFor()
  }, 240_000)
})
