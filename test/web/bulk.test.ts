import { expect, it } from '@jest/globals'
import { eventually, keepScreenshot, pressKeys } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('acts with many conversations in the console', (world) => {
  const accept = (id: string) =>
    world.office.gql(world.office.ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
  const statusOf = async (id: string): Promise<string> =>
    (await world.office.gql(world.office.owner, 'query ($id: ID!) { conversation(id: $id) { status } }', { id })).data
      .conversation.status as string

  it('selects by the keyboard, labels, closes and brings back', async () => {
    const { office } = world
    await office.gql(office.owner, 'mutation { createLabel(input: { name: "Storm", hue: 190 }) { id } }')
    const ids = [
      await office.arrive('Amira Anchor', 'my boat is loose'),
      await office.arrive('Bruno Buoy', 'mine too'),
      await office.arrive('Carla Crane', 'is the crane out?'),
    ]
    for (const id of ids) await accept(id)
    const { page } = await world.openConsole(office.ann, '/mine', { viewport: { width: 1440, height: 900 } })
    const mine = page.getByRole('list', { name: 'Mine' })
    await mine.getByRole('link').first().waitFor()
    await mine.getByRole('checkbox').first().waitFor({ state: 'attached' })
    const bar = page.getByRole('toolbar')
    await mine.getByRole('link').first().focus()
    await pressKeys(page, 'list', 'x')
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor()
    await page.keyboard.press('Shift+J')
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'bulk-selected')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'bulk-selected-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    // The box of a row, by the mouse.
    await mine.getByRole('checkbox', { name: 'Select Bruno Buoy' }).check({ force: true })
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: '3 selected' }).waitFor()

    await pressKeys(page, 'list', 'l')
    const dialog = page.getByRole('dialog', { name: 'Label the selected' })
    await dialog.getByRole('radio', { name: 'Put on' }).and(page.locator(':focus')).waitFor()
    await dialog.getByRole('checkbox', { name: 'Storm' }).check()
    await expectAccessible(page)
    await keepScreenshot(page, 'bulk-label')
    await dialog.getByRole('button', { name: 'Apply to 3 conversations' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('3 done').waitFor()
    await eventually(async () => (await mine.getByText('Storm').count()) === 3)

    // Somebody else takes one of them meanwhile.
    await pressKeys(page, 'list', '?')
    const help = page.getByRole('dialog', { name: /keys/i })
    await help.getByText('Select all that are shown').waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await mine.getByRole('link').first().focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Close 3' }).waitFor()
    await keepScreenshot(page, 'bulk-toast-and-bar')
    // It goes by itself when its act can no longer be undone.
    await page.getByRole('button', { name: 'Hide this' }).evaluateAll((all) => all.forEach((each) => each.click()))
    await page.getByText('3 done').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Close 3' }).click()
    await page.getByText('3 done').waitFor()
    expect(await Promise.all(ids.map(statusOf))).toEqual(['CLOSED', 'CLOSED', 'CLOSED'])
    await keepScreenshot(page, 'bulk-closed')
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.getByText('3 undone').waitFor()
    await eventually(async () => (await mine.getByRole('link').count()) === 3)
    expect(await Promise.all(ids.map(statusOf))).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
  }, 240_000)

  it('says what was skipped and why, with a link, in both themes and on a telephone', async () => {
    const { office } = world
    const taken = await office.arrive('Dora Dock', 'who has me?')
    await office.arrive('Emil Engine', 'it smokes')
    const { page } = await world.openConsole(office.ann, '/open', { viewport: { width: 375, height: 812 } })
    const list = page.getByRole('list').filter({ hasText: 'Dora Dock' })
    await list.getByText('Emil Engine').waitFor()
    await office.gql(office.bob, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id: taken })
    for (const name of ['Dora Dock', 'Emil Engine'])
      await list.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true })
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'bulk-375')
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze the selected' })
    await dialog.getByRole('combobox', { name: 'Until' }).and(page.locator(':focus')).selectOption({ index: 1 })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Apply to 2 conversations' }).click()
    await page.getByText('1 done, 1 skipped').waitFor()
    await page.getByText('Which, and why').click()
    await page.getByRole('link', { name: 'Dora Dock' }).last().waitFor()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await keepScreenshot(page, 'bulk-skipped-dark-375')
  }, 240_000)

  it('needs a connection, and says so', async () => {
    const { office } = world
    await office.arrive('Frida Ferry', 'no wind')
    const { page } = await world.openConsole(office.ann, '/queue')
    const queue = page.getByRole('list', { name: 'Queue' })
    await queue.getByText('Frida Ferry').waitFor()
    await queue.getByRole('checkbox', { name: 'Select Frida Ferry' }).check({ force: true })
    const bar = page.getByRole('toolbar', { name: '1 selected' })
    await bar.waitFor()
    await page.context().setOffline(true)
    await bar.getByText('Needs a connection').waitFor()
    await bar.getByRole('button', { name: 'Close 1' }).click({ force: true })
    expect(await page.getByText(/have had their turn/).count()).toBe(0)
    await keepScreenshot(page, 'bulk-offline')
    await page.context().setOffline(false)
    await bar.getByText('Needs a connection').waitFor({ state: 'detached' })
  }, 240_000)
})
