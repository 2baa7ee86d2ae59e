import { beforeAll, expect, it } from '@jest/globals'
import { keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'
import { until } from '../support/until.js'

describeInBrowser('a form in the web widget (2.12)', (world) => {
  let service: string
  beforeAll(async () => {
    service = await makeWebService(world.office)
    const { data } = await world.office.gql(
      world.office.owner,
      'mutation ($input: CreateFormInput!) { createForm(input: $input) { id } }',
      {
        input: {
          organization: world.office.organization.id,
          name: 'Your boat',
          fields: [
            { key: 'name', label: 'Name of the boat', type: 'TEXT', required: true, pattern: '[^<>]*' },
            { key: 'length', label: 'Length in metres', type: 'NUMBER', required: true, min: 1, max: 400 },
            { key: 'kind', label: 'Kind', type: 'SELECT', options: ['Sail', 'Motor'] },
            { key: 'wishes', label: 'What do you need?', type: 'MULTISELECT', options: ['Power', 'Water'] },
            { key: 'insured', label: 'Insured?', type: 'BOOLEAN' },
          ],
        },
      },
    )
    await world.office.gql(
      world.office.owner,
      'mutation ($id: ID!, $patch: UpdateOrganizationInput!) { updateOrganization(id: $id, patch: $patch) { id } }',
      {
        id: world.office.organization.id,
        patch: { categories: [{ name: 'Berths', forms: [data.createForm.id] }, { name: 'Repairs' }] },
      },
    )
  })

  it('explains errors, keeps unfinished input, and is sent to the agents as a whole', async () => {
    const { page } = await world.open(`/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    await widget.open()
    await widget.say('a berth, please')
    const agentView = await agentViewOf(world.office, 'a berth, please')
    const agent = await world.openConsole(world.office.ann, `/c/${agentView.id}`)
    await agent.page.getByLabel('Category').selectOption('Berths')
    await agent.page.getByRole('button', { name: 'Ask for Your boat' }).click()
    await agent.page.getByText('asked for the form Your boat').waitFor()
    await agent.page.getByLabel('Category').selectOption('Repairs')
    const box = widget.log.getByRole('form', { name: 'Your boat' })
    await box.getByRole('spinbutton', { name: 'Length in metres' }).fill('500')
    await box.getByRole('button', { name: 'Send the form' }).click()
    await box.getByRole('textbox', { name: 'Name of the boat' }).and(page.locator(':focus')).waitFor()
    expect(await box.getByRole('alert').count()).toBe(2)
    await expectAccessible(page)
    await keepScreenshot(page, 'widget-form-fault')

    await box.getByRole('textbox', { name: 'Name of the boat' }).fill('<Meltemi>')
    await box.getByRole('spinbutton', { name: 'Length in metres' }).fill('11.2')
    await box.getByRole('checkbox', { name: 'Water' }).check()
    await page.reload()
    await widget.open()
    expect(await box.getByRole('textbox', { name: 'Name of the boat' }).inputValue()).toBe('<Meltemi>')
    expect(await box.getByRole('checkbox', { name: 'Water' }).isChecked()).toBe(true)
    // What only the server knows to be wrong is said at its field; nothing of the form has been taken then.
    await box.getByRole('button', { name: 'Send the form' }).click()
    await box.getByRole('alert').waitFor()
    const filled = async () => {
      const { data } = await world.office.gql(
        world.office.ann,
        'query ($id: ID!) { conversation(id: $id) { forms { values completedAt } } }',
        {
          id: agentView.id,
        },
      )
      return data.conversation.forms[0]
    }
    expect(await filled()).toMatchObject({ values: {}, completedAt: null })
    await box.getByRole('textbox', { name: 'Name of the boat' }).fill('Meltemi')
    await box.getByRole('combobox', { name: 'Insured?' }).selectOption('Yes')

    // While the server is away it waits, and goes once.
    await page.route('**/graphql', (route) => route.abort())
    await box.getByRole('button', { name: 'Send the form' }).click()
    await widget.log.getByText('Waits').waitFor()
    await page.unroute('**/graphql')
    await page.reload()
    await widget.open()
    await widget.log.getByText('Form sent').waitFor()
    await widget.log.getByText('Meltemi').waitFor()
    await keepScreenshot(page, 'widget-form-sent')
    await expectAccessible(page)
    expect(await filled()).toMatchObject({
      values: { name: 'Meltemi', length: 11.2, wishes: ['Water'], insured: true },
      completedAt: expect.any(String),
    })
    expect(await agentView.texts()).toEqual([
      'a berth, please',
      '.name Meltemi',
      '.length 11.2',
      '.wishes Water',
      '.insured true',
    ])

    await widget.log.getByRole('button', { name: 'Edit' }).click()
    await box.getByRole('combobox', { name: 'Kind' }).selectOption('Sail')
    await box.getByRole('button', { name: 'Send the form' }).click()
    await until(async () => (await filled()).values.kind === 'Sail')
    await widget.log.getByText('Form sent').waitFor()
  })
})
