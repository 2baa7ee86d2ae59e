import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { keepScreenshot } from './support/browser.js'
import { accessibilityFaults, describeInBrowser } from './support/in-browser.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

/** Marks what `Tab` has to reach in the element: each control that is seen, of the radio buttons of a group one. */
const MARK = `(root) => {
  const groups = new Set()
  const controls = root.querySelectorAll('button, input, select, textarea, a[href], summary, [tabindex="0"]')
  return [...controls].filter((control) => {
    delete control.dataset.toReach
    const isSeen = control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled, [tabindex="-1"], [type=hidden]')
    if (!isSeen || (control.type === 'radio' && groups.has(control.name))) return false
    if (control.type === 'radio') groups.add(control.name)
    control.dataset.toReach = control.type === 'radio' ? 'radio ' + control.name : 'yes'
    return true
  }).length
}`
/** Takes the mark from what has the focus. @returns those that still have one */
const REACHED = `(root) => {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  const mark = focused?.type === 'radio' ? 'radio ' + focused.name : null
  for (const each of root.querySelectorAll('[data-to-reach]'))
    if (each === focused || (mark && each.dataset.toReach === mark)) delete each.dataset.toReach
  return [...root.querySelectorAll('[data-to-reach]')].map((each) => each.outerHTML.slice(0, 120))
}`

/** Finds what `Tab` does not come to within an element. @param root expression of the element */
async function unreachable(page: Page, root: string): Promise<string[]> {
  const count = await page.evaluate<number>(`(${MARK})(${root})`)
  expect(count).toBeGreaterThan(0)
  let left: string[] = []
  // From wherever the focus is, once around: the page and the browser have stops of their own.
  for (let pressed = 0; pressed < count + 60; pressed++) {
    left = await page.evaluate<string[]>(`(${REACHED})(${root})`)
    if (left.length === 0) return []
    await page.keyboard.press('Tab')
  }
  return left
}

/** Sections of the administration, and the button that opens the form of each. */
const FORMS = [
  ['users', 'User'],
  ['channels', 'Channel'],
  ['organizations', 'Organization'],
  ['services', 'Service'],
  ['forms', 'Form'],
  ['articles', 'Article'],
  ['canned', 'Response'],
] as const

describeInBrowser('everything by keyboard alone', (world) => {
  it.each(['light', 'dark'] as const)(
    'opens, reaches every control of, and leaves each form of the administration, accessible in %s',
    async (colorScheme) => {
      const { page } = await world.openConsole(world.office.owner, '/admin', { colorScheme })
      for (const [section, label] of FORMS) {
        await page.goto(`${world.office.url}/console/admin/${section}`)
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        const add = page.locator('main').getByRole('button', { name: label }).first()
        await add.focus()
        await page.keyboard.press('Enter')
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        expect({ section, faults: await accessibilityFaults(page) }).toEqual({ section, faults: [] })
        await keepScreenshot(page, `form-${section}-${colorScheme}`)
        expect({ section, left: await unreachable(page, "document.querySelector('dialog[open]')") }).toEqual({
          section,
          left: [],
        })
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await add.and(page.locator(':focus')).waitFor()
      }
    },
  )

  it('reaches every control of the rule editor', async () => {
    const conditions = { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'boat' }] }
    const event = { type: 'notify', params: { name: 'Boats', channels: [world.office.channel] } }
    await world.office.gql(
      world.office.owner,
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      { input: { organization: world.office.organization.id, name: 'Routes', rules: [{ conditions, event }] } },
    )
    const { page } = await world.openConsole(world.office.owner, '/admin/workflows')
    await page.getByRole('textbox', { name: 'Value' }).waitFor()
    expect(await unreachable(page, "document.querySelector('main')")).toEqual([])
  })

  it('fills in a form and presses a button in the widget', async () => {
    const service = await makeWebService(world.office)
    const { page } = await world.open(`/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    await page.getByRole('button', { name: 'Open chat' }).focus()
    await page.keyboard.press('Enter')
    await widget.message.waitFor()
    await page.keyboard.type('I want a berth')
    await page.keyboard.press('Enter')
    const agentView = await agentViewOf(world.office, 'I want a berth')
    await agentView.answer({
      text: 'Which one?',
      actions: [
        { type: 'REPLY', text: 'The quiet one', payload: 'quiet' },
        { type: 'LINK', text: 'A map', uri: 'https://example.org/map' },
      ],
    })
    const quiet = widget.log.getByRole('button', { name: 'The quiet one' })
    await quiet.waitFor()
    expect(
      await unreachable(page, "document.querySelector('switchboard-widget').shadowRoot.querySelector('.w')"),
    ).toEqual([])
    await quiet.focus()
    await page.keyboard.press('Enter')
    await widget.log.getByText('The quiet one').nth(1).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open chat' }).and(page.locator(':focus')).waitFor()
  })
})
