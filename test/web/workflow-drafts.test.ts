import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { eventually, keepScreenshot } from './support/browser.js'
import { describeInBrowser, expectAccessible } from './support/in-browser.js'
import { PASSWORD } from './support/office.js'

const says = (value: string) => ({ all: [{ fact: 'message', path: '.text', operator: 'match', value }] })

describeInBrowser('the drafts of workflows in the console', (world) => {
  const must = async (text: string, variables: Record<string, unknown>) => {
    const { data, errors } = await world.office.gql(world.office.owner, text, variables)
    expect(errors).toBeUndefined()
    return data
  }
  const rule = (name: string, more: object = {}) => ({
    id: name,
    conditions: says(name),
    event: { type: 'NOTIFY', params: { name, channels: [world.office.channel], urgency: 7, ...more } },
  })
  const makeWorkflow = async (): Promise<string> => {
    await world.office.server.database.query('delete from workflow')
    const input = {
      organization: world.office.organization.id,
      name: 'Who gets what',
      rules: [rule('boat'), rule('car')],
    }
    const { createWorkflow } = await must(
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      { input },
    )
    return createWorkflow.id as string
  }
  const stateOf = async (id: string) =>
    (
      await must(
        `query ($id: ID!) { workflow(id: $id) { version name rules { id priority event { params { urgency } } }
          drafts { version publishAt user { displayName } rules { id priority } } history { number kind comment } } }`,
        { id },
      )
    ).workflow
  const open = (who = world.office.owner, options: object = {}) => world.openConsole(who, '/admin/workflows', options)
  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const setPriority = async (page: Page, priority: string): Promise<void> => {
    await page.getByLabel('Priority').fill(priority)
    await page.getByText('Not saved yet').waitFor()
  }

  it('are saved, compared and published, with a comment in the history; what is not edited here stays', async () => {
    const id = await makeWorkflow()
    const { page } = await open()
    await page.getByText('As it runs').waitFor()
    await setPriority(page, '5')
    await button(page, 'Save the draft').click()
    await page.getByText(/Draft, saved/).waitFor()
    expect(await stateOf(id)).toMatchObject({
      ...{ version: 1, rules: [{ id: 'boat', priority: 1 }, { id: 'car' }] },
      drafts: [
        {
          version: 1,
          rules: [
            { id: 'boat', priority: 5 },
            { id: 'car', priority: 1 },
          ],
        },
      ],
    })
    await page.reload()
    await page.getByText(/Draft, saved/).waitFor()
    expect(await page.getByLabel('Priority').inputValue()).toBe('5')
    await button(page, 'Publish').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Rule changed').waitFor()
    await dialog.getByText('Priority: 5, was 1').waitFor()
    await dialog.getByLabel('Comment').fill('Boats first')
    await expectAccessible(page)
    await keepScreenshot(page, 'rules-publish')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('As it runs').waitFor()
    expect(await stateOf(id)).toMatchObject({
      ...{ version: 2, drafts: [], history: [{ number: 2, kind: 'PUBLISHED', comment: 'Boats first' }, { number: 1 }] },
      rules: [{ id: 'boat', priority: 5, event: { params: { urgency: 7 } } }, { id: 'car' }],
    })
    expect(await page.getByLabel('Priority').inputValue()).toBe('5')
    // Saving nothing but the name makes no draft.
    await page.getByLabel('Name', { exact: true }).fill('Who hears of what')
    await button(page, 'Save the draft').click()
    await eventually(async () => (await stateOf(id)).name === 'Who hears of what')
    expect((await stateOf(id)).drafts).toEqual([])
  })

  it('show the history, each change with its differences, and restore one', async () => {
    const id = await makeWorkflow()
    const update =
      'mutation ($id: ID!, $p: UpdateWorkflowInput!, $c: String) { updateWorkflow(id: $id, patch: $p, comment: $c) { id } }'
    await must(update, { id, p: { rules: [rule('boat', { delay: 30 }), rule('new')] }, c: 'No cars any more' })
    const { page } = await open()
    await button(page, 'History').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No cars any more').click()
    await dialog.getByText('Delay: 30 s, was 0 s').waitFor()
    await dialog.getByText('Rule removed').waitFor()
    await dialog.getByText('If message.text matches "new": to Service yard').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'rules-history')
    await dialog.getByText('created').click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await dialog.getByRole('button', { name: 'Restore 1? It runs at once.' }).click()
    await dialog.waitFor({ state: 'detached' })
    await button(page, /car/).waitFor()
    expect(await stateOf(id)).toMatchObject({ version: 3, history: [{ kind: 'RESTORED' }, {}, {}] })
  })

  it('of two administrators stand beside each other, are planned, and outdate each other', async () => {
    const id = await makeWorkflow()
    const colleague = await world.office.makeUser({
      ...{ organization: world.office.organization, role: 'admin', displayName: 'Cleo Colleague' },
      ...{ password: PASSWORD, email: 'cleo@harbour.example' },
    })
    const { page } = await open()
    await setPriority(page, '3')
    await button(page, 'Publish').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Later' }).click()
    await dialog.getByLabel('Time').waitFor()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText(/Will be published/).waitFor()
    await keepScreenshot(page, 'rules-planned')
    const other = (await open(colleague)).page
    await other.getByText(/Olga Owner will publish a draft/).waitFor()
    await button(other, 'Look at it').click()
    await other.getByRole('dialog').getByText('Priority: 3, was 1').waitFor()
    await button(other, 'Take it into my draft').click()
    await other.getByText('Not saved yet').waitFor()
    await eventually(async () => (await other.getByLabel('Priority').inputValue()) === '3')
    await setPriority(other, '4')
    await button(other, 'Publish').click()
    await other.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await other.getByText('As it runs').waitFor()
    // The planned one is told at once, without a reload.
    await page.getByText('Not published as planned: somebody changed the rules that run.').waitFor()
    await page.getByText(/have changed since this draft was begun/).waitFor()
    await keepScreenshot(page, 'rules-refused')
    await button(page, 'Compare').click()
    await dialog.getByText('Priority: 3, was 4').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await button(page, 'Go on with my rules').click()
    await eventually(async () => (await page.getByText(/have changed since/).count()) === 0)
    await button(page, 'Publish').click()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('As it runs').waitFor()
    expect((await stateOf(id)).rules[0].priority).toBe(3)
    // Whoever has nothing unsaved sees what was published.
    await eventually(async () => (await other.getByLabel('Priority').inputValue()) === '3')
  })

  it('are discarded when that is confirmed, and not overwritten by a second tab', async () => {
    const id = await makeWorkflow()
    const { page, context } = await open()
    const second = await context.newPage()
    await second.goto(`${world.office.url}/console/admin/workflows`)
    await setPriority(page, '8')
    await setPriority(second, '9')
    await button(page, 'Save the draft').click()
    await page.getByText(/Draft, saved/).waitFor()
    await button(second, 'Save the draft').click()
    await second.getByRole('alert').getByText('Somebody else changed this meanwhile').waitFor()
    expect((await stateOf(id)).drafts).toMatchObject([{ rules: [{ priority: 8 }, {}] }])
    await button(page, 'Discard').click()
    await button(page, 'Discard your draft? What runs stays as it is.').click()
    await page.getByText('As it runs').waitFor()
    expect((await stateOf(id)).drafts).toEqual([])
    expect(await page.getByLabel('Priority').inputValue()).toBe('1')
  })

  it.each([
    [375, 'dark'],
    [375, 'light'],
    [1440, 'dark'],
    [1440, 'light'],
  ] as const)('fit a window of %d pixels, %s', async (width, colorScheme) => {
    const id = await makeWorkflow()
    await must(
      'mutation ($id: ID!, $rules: [WorkflowRuleInput!]!) { saveWorkflowDraft(workflow: $id, rules: $rules) { id } }',
      {
        id,
        rules: [
          rule('boat', { delay: 60, isLastRule: true }),
          rule('a rule with quite a long name that wraps'.replaceAll(' ', '-')),
        ],
      },
    )
    const { page } = await open(world.office.owner, { viewport: { width, height: 860 }, colorScheme })
    await page.getByText(/Draft, saved/).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `rules-draft-${width}-${colorScheme}`)
    await button(page, 'Publish').click()
    await page.getByRole('dialog').getByText('New rule').waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, `rules-publish-${width}-${colorScheme}`)
    await page.keyboard.press('Escape')
    const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
    expect(overflow).toBe(0)
  })
})
