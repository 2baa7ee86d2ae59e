import { expect, it } from '@jest/globals'
import { addStoredParams, storedParams } from '../support/stored-params.js'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'

describeInBrowser('the administration in the console', (world) => {
  it('tries unsaved rules on a conversation, shows their facts, and replays them', async () => {
    const { id: organization } = world.office.organization
    const conditions = { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'boat' }] }
    const event = { type: 'notify', params: { name: 'Boats', channels: [world.office.channel] } }
    await world.office.gql(
      world.office.owner,
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      {
        input: { organization, name: 'Who gets what', rules: [{ conditions, event }] },
      },
    )
    await world.office.arrive('Lena Vos', 'my boat leaks')
    const { page } = await world.openConsole(world.office.owner, '/admin/workflows')
    await page.getByLabel('Facts of').selectOption({ label: 'Lena Vos' })
    await eventually(async () => (await page.locator('#facts').inputValue()).includes('leaks'))
    await page.getByRole('textbox', { name: 'Value' }).fill('car')
    await page.getByRole('textbox', { name: 'Value' }).press('Tab')
    await page.getByText('Not saved yet').waitFor()
    await page.getByRole('button', { name: 'Replay the last week' }).click()
    await page.getByText('1 looked at: 1 would go elsewhere.').waitFor()
    await page.getByText('1 would reach nobody').waitFor()
    await page.getByRole('button', { name: 'Try', exact: true }).click()
    await page.locator('.cond .was').getByText('my boat leaks').waitFor()
    await page.getByRole('button', { name: /Boats/ }).getByText('no match').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'rules-tried')
  })

  it('manages the canned responses of an organization', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/canned')
    await page.getByRole('button', { name: 'Response' }).click()
    await page.getByRole('textbox', { name: 'Shortcut' }).fill('two words')
    await page.getByRole('textbox', { name: 'Text' }).fill('We open at nine.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('two words').waitFor()
    await page.getByRole('textbox', { name: 'Shortcut' }).fill('hours')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('rowheader', { name: ';hours' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit: hours' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete hours?' }).click()
    await page.getByText('No canned response yet').waitFor()
  })

  it('asks before it discards what was typed, and names the field of what is no number', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/channels')
    const dialog = page.getByRole('dialog')
    const field = (name: string) => dialog.getByRole('textbox', { name })
    const isGone = async (): Promise<boolean> => (await dialog.count()) === 0
    await page.getByRole('button', { name: 'Channel', exact: true }).click()
    await field('Name').and(page.locator(':focus')).waitFor()
    // Nothing was typed: nothing to ask.
    await page.keyboard.press('Escape')
    await eventually(isGone)
    await page.getByRole('button', { name: 'Channel', exact: true }).click()
    await field('Name').fill('Night watch')
    const question = dialog.getByText('Close it once more to discard')
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
    ]) {
      await leave()
      await question.waitFor()
      await field('Name').fill('Night watch two')
      await field('Name').fill('Night watch')
      await question.waitFor({ state: 'detached' })
    }
    // A text that is selected may end outside the dialog.
    const box = (await field('Name').boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    expect(await question.count()).toBe(0)
    expect(await field('Name').inputValue()).toBe('Night watch')

    const save = dialog.getByRole('button', { name: 'Save' })
    const seconds = field('Seconds to answer an offer')
    for (const [typed, refusal] of [
      ['soon', '"soon": 5 to 300'],
      ['4', 'offerSeconds'],
    ] as const) {
      await seconds.fill(typed)
      await save.click()
      await dialog.getByRole('alert').getByText(refusal).waitFor()
      expect(await seconds.getAttribute('aria-invalid')).toBe('true')
    }
    await page.keyboard.press('Escape')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await eventually(isGone)

    await page.goto(`${world.office.url}/console/admin/hours`)
    await page.getByRole('button', { name: 'SLA policy', exact: true }).click()
    await field('Name').fill('Fast')
    for (const [name, typed, refusal] of [
      ['Acceptance', 'soon', '"soon": Minutes'],
      ['First response', '30, 30', 'warnSeconds'],
      ['Conditions', '{', 'This is not JSON'],
    ] as const) {
      const before = await field(name).inputValue()
      await field(name).fill(typed)
      await save.click()
      await dialog.getByRole('alert').getByText(refusal).waitFor()
      expect(await field(name).getAttribute('aria-invalid')).toBe('true')
      await field(name).fill(before)
    }
  })

  it('creates forms, articles and groups, and assigns forms to a category', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/forms')
    const dialog = page.getByRole('dialog')
    const save = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Your boat')
    await dialog.getByRole('textbox', { name: 'What question 1 asks' }).fill('Kind')
    await dialog.getByRole('combobox', { name: 'Kind of question 1' }).selectOption('One of')
    await dialog.getByRole('textbox', { name: 'Choices of question 1' }).fill('Sail\nMotor')
    await dialog.getByRole('button', { name: 'Question', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'What question 2 asks' }).fill('Length')
    await dialog.getByRole('combobox', { name: 'Kind of question 2' }).selectOption('Number')
    await dialog.getByRole('button', { name: 'Move question 2 up' }).click()
    await expectAccessible(page)
    await keepScreenshot(page, 'admin-form-dialog')
    await save()
    await page.getByRole('rowheader', { name: 'Your boat' }).waitFor()
    const { data } = await world.office.gql(
      world.office.owner,
      '{ forms { edges { node { fields { label type options } } } } }',
    )
    expect(data.forms.edges[0].node.fields).toEqual([
      { label: 'Length', type: 'NUMBER', options: [] },
      { label: 'Kind', type: 'SELECT', options: ['Sail', 'Motor'] },
    ])

    await page.goto(`${world.office.url}/console/admin/organizations`)
    await page.getByRole('button', { name: 'Edit: Harbour Boats' }).click()
    await dialog.getByRole('textbox', { name: 'Categories' }).fill('Berths')
    await save()
    await page.getByRole('cell', { name: 'Berths' }).waitFor()
    await page.getByRole('button', { name: 'Edit: Harbour Boats' }).click()
    await dialog.getByRole('group', { name: 'Forms of Berths' }).getByRole('checkbox', { name: 'Your boat' }).check()
    await save()
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Harbours')
    await dialog.getByRole('checkbox', { name: 'Harbour Boats' }).check()
    await save()
    await page.getByRole('rowheader', { name: 'Harbours' }).waitFor()
    await expectAccessible(page)
    const stored = await world.office.gql(
      world.office.owner,
      '{ organizationGroups { edges { node { memberIds } } } me { organization { categories { name formIds } } } }',
    )
    expect(stored.data.me.organization.categories).toMatchObject([{ name: 'Berths', formIds: [expect.any(String)] }])
    expect(stored.data.organizationGroups.edges[0].node.memberIds).toEqual([world.office.organization.id])

    await page.goto(`${world.office.url}/console/admin/articles`)
    await page.getByRole('button', { name: 'Article', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Opening hours')
    await dialog.getByRole('textbox', { name: 'Text' }).fill('From nine.')
    await save()
    await page.getByRole('rowheader', { name: 'Opening hours' }).waitFor()
    await expectAccessible(page)
  })

  it('configures a service by its fields, keeps secrets, and tests it', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/services')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Service', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Texts')
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('SMS')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('textbox', { name: 'Account SID' }).fill('AC123')
    await dialog.getByRole('textbox', { name: 'Auth token' }).fill('the-token')
    await dialog.getByRole('textbox', { name: 'Sender', exact: true }).fill('not a number')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('params.from').waitFor()
    await dialog.getByRole('textbox', { name: 'Sender', exact: true }).fill('Harbour')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Set up Texts' }).getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Edit: Texts' }).click()
    expect(await dialog.getByRole('textbox', { name: 'Auth token' }).inputValue()).toBe('********')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { server } = world.office
    const [row] = await server.database.query<{ id: string }>(`select id from service where type = 'sms'`)
    expect(await storedParams(server, row!.id)).toEqual({
      accountSid: 'AC123',
      authToken: 'the-token',
      from: 'Harbour',
    })

    // No provider in a test: what went wrong is said in words.
    await addStoredParams(server, row!.id, { apiUrl: 'http://127.0.0.1:9' })
    await page.getByRole('button', { name: 'Set up: Texts' }).click()
    await dialog.getByRole('button', { name: 'Test now' }).click()
    await dialog.getByText('It does not work.').waitFor()
    await dialog.getByText('the provider was not reached').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'admin-service-test')
  })

  it('says how a bot of Telegram is made, and what is wrong with its token', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/services')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Service', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Bot')
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('Telegram')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('write /newbot to @BotFather').waitFor()
    await dialog.getByRole('textbox', { name: 'Token of the bot' }).fill('harbour')
    await dialog.getByRole('combobox', { name: 'How messages arrive' }).selectOption('This server fetches them')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('params.botToken').waitFor()
    await dialog.getByRole('textbox', { name: 'Token of the bot' }).fill('123456:not-a-token-of-any-bot')
    await expectAccessible(page)
    await keepScreenshot(page, 'admin-telegram')
    await page.setViewportSize({ width: 375, height: 720 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await keepScreenshot(page, 'admin-telegram-narrow')
  })

  it('makes a webhook of notices in Slack, and says that a test notice goes there first', async () => {
    const { page } = await world.openConsole(world.office.owner, '/admin/services')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Service', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Front desk')
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('Webhook')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill('http://127.0.0.1:9/services/T0/B0/x')
    await dialog.getByRole('combobox', { name: 'Format' }).selectOption('Notices in Slack')
    await dialog.getByText('A test notice goes there first.').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'admin-notices')
    await page.setViewportSize({ width: 375, height: 720 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await keepScreenshot(page, 'admin-notices-narrow')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('sends Slack or Teams a test notice').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    const { server } = world.office
    const [row] = await server.database.query<{ id: string }>(`select id from service where name = 'Front desk'`)
    expect(await storedParams(server, row!.id)).toMatchObject({ format: 'slack' })
  })
})
