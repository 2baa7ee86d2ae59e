import { it } from '@jest/globals'
import { eventually, keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('macros in the console', (world) => {
  const label = async (name: string): Promise<void> =>
    void (await world.office.gql(
      world.office.owner,
      'mutation ($name: String!) { createLabel(input: { name: $name, hue: 190 }) { id } }',
      { name },
    ))
  const take = (id: string) =>
    world.office.gql(world.office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })

  it('an administrator makes one of sentences, agents find it, see all that it does, and run it', async () => {
    await label('Lift-out')
    await world.office.gql(
      world.office.owner,
      'mutation ($id: ID!) { updateOrganization(id: $id, patch: { categories: [{ name: "Engine" }] }) { id } }',
      { id: world.office.organization.id },
    )
    const owner = await world.openConsole(world.office.owner, '/admin/macros', {
      viewport: { width: 1440, height: 900 },
    })
    await owner.page.getByText('No macros yet').waitFor()
    await owner.page.getByRole('button', { name: 'Add a macro' }).click()
    const form = owner.page.getByRole('dialog', { name: 'New macro' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Book a lift-out')
    await form.getByRole('textbox', { name: 'Shortcut' }).fill('lift')
    const add = form.getByRole('combobox', { name: 'Add a step' })
    await add.selectOption('Close the conversation')
    await add.selectOption('Send a reply')
    await form
      .getByRole('textbox', { name: 'Text' })
      .and(owner.page.locator(':focus'))
      .fill('Thursday 09:30 is yours, {{ givenName }}.')
    await add.selectOption('Change the labels')
    await form.getByRole('combobox', { name: 'Add', exact: true }).selectOption('Lift-out')
    await add.selectOption('Set the category')
    await form.getByRole('combobox', { name: 'Category' }).selectOption('Engine')
    await add.selectOption('Write a note')
    // The focus comes to each step with a frame: what is typed before that goes to the last one.
    await form
      .getByRole('textbox', { name: 'Text' })
      .nth(1)
      .and(owner.page.locator(':focus'))
      .fill('Crane 1, 90 minutes')
    await form.getByRole('group', { name: 'Step 5: Close the conversation' }).waitFor()
    await expectAccessible(owner.page)
    await keepScreenshot(owner.page, 'macro-form')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const row = owner.page.getByRole('row', { name: /Book a lift-out/ })
    await row.getByText('Thursday 09:30 is yours').waitFor()
    await expectAccessible(owner.page)
    await keepScreenshot(owner.page, 'admin-macros')
    await owner.page.setViewportSize({ width: 375, height: 812 })
    await owner.page.emulateMedia({ colorScheme: 'dark' })
    await row.getByRole('button', { name: /Edit/ }).click()
    await expectAccessible(owner.page)
    await keepScreenshot(owner.page, 'macro-form-dark-375')

    const id = await world.office.arrive('Konstantina Papadimitriou', 'Can the lift-out be on Thursday?')
    const next = await world.office.arrive('Wim Waits', 'is it ready?')
    await take(id)
    await take(next)
    const { page } = await world.openConsole(world.office.ann, '/mine', { viewport: { width: 1440, height: 900 } })
    await page
      .getByRole('list', { name: 'Mine' })
      .getByRole('link', { name: /Konstantina/ })
      .click()
    await page.getByRole('log').getByText('Can the lift-out').waitFor()
    await pressKeys(page, 'log', 'm')
    const dialog = page.getByRole('dialog', { name: 'Macros' })
    await dialog.getByRole('combobox', { name: 'Find a macro' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('lift')
    const preview = dialog.getByRole('region', { name: 'Book a lift-out will' })
    for (const said of [
      'Thursday 09:30 is yours, Konstantina.',
      'Lift-out',
      'Engine',
      'Crane 1',
      'close the conversation',
    ])
      await preview.getByText(said).first().waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'macro-dialog')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'macro-dialog-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.keyboard.press('Enter')
    // On with the next one; what was closed can be brought back.
    await page.getByRole('log').getByText('is it ready?').waitFor()
    await page.getByText('Closed: Konstantina Papadimitriou').waitFor()
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.getByRole('log').getByText('Thursday 09:30 is yours, Konstantina.').waitFor()
    await page.getByRole('log').getByText('Crane 1, 90 minutes').waitFor()
    await page.locator('.thread .head').getByText('Lift-out').waitFor()
  }, 240_000)

  it('an agent makes her own, puts its reply into the box, and runs it by its shortcut, on a telephone too', async () => {
    const id = await world.office.arrive('Priya Raghunathan', 'Is the sauna open?')
    await take(id)
    const { page } = await world.openConsole(world.office.ann, '/settings/macros')
    const box = page.getByRole('region', { name: 'Macros' })
    await box.getByRole('button', { name: 'Add a macro' }).click()
    const form = page.getByRole('dialog', { name: 'New macro' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Sauna hours')
    await form.getByRole('textbox', { name: 'Shortcut' }).fill('sauna')
    await form.getByRole('combobox', { name: 'Add a step' }).selectOption('Send a reply')
    await form
      .getByRole('textbox', { name: 'Text' })
      .and(page.locator(':focus'))
      .fill('Yes, {{ givenName }}, until ten.')
    await form.getByRole('combobox', { name: 'Add a step' }).selectOption('Write a note')
    await form.getByRole('textbox', { name: 'Text' }).nth(1).and(page.locator(':focus')).fill('asked for the sauna')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await box.getByText('Sauna hours').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'own-macros')

    await page.goto(`${world.office.url}/console/c/${id}`)
    await page.getByRole('log').getByText('Is the sauna open?').waitFor()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill(';sau')
    await page.getByRole('option', { name: /Sauna hours/ }).waitFor()
    await keepScreenshot(page, 'macro-suggested')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Macros' })
    await dialog.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => (await reply.inputValue()) === 'Yes, Priya, until ten.')
    await reply.and(page.locator(':focus')).waitFor()
    await reply.fill('')

    await page.setViewportSize({ width: 375, height: 812 })
    await page.getByRole('button', { name: 'Macro', exact: true }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'More', exact: true }).last().click()
    const more = page.getByRole('dialog', { name: 'More' })
    await more.getByRole('button', { name: 'Macro' }).and(page.locator(':focus')).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'thread-more-375')
    await more.getByRole('button', { name: 'Macro' }).click()
    await dialog.getByRole('option', { name: /Sauna hours/ }).click()
    await expectAccessible(page)
    await keepScreenshot(page, 'macro-dialog-375')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'macro-dialog-dark-375')
    // A second message meanwhile is seen first.
    await page.context().setOffline(true)
    await dialog.getByRole('button', { name: /Run all/ }).click()
    await dialog.getByRole('alert').waitFor()
    await page.context().setOffline(false)
    await dialog.getByRole('button', { name: /Run all/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('log').getByText('Yes, Priya, until ten.').waitFor()
    await page.getByRole('log').getByText('asked for the sauna').waitFor()
  }, 240_000)
})
