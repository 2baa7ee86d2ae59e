import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { uploadImage } from '../support/upload-image.js'
import { HOSTILE_HTML } from './support/hostile-html.js'
import { describeInBrowser } from './support/in-browser.js'
import { agentViewOf, makeWebService, widgetOf } from './support/widget.js'

/** Stands in every text that somebody chooses, and is replaced in the database by what no write might take. */
const MARK = 'HOSTILE'
const HOSTILE = `<img src=x onerror="window.ran=1">'"\`<svg onload="window.ran=1"><script>window.ran=1</script>${HOSTILE_HTML}`

const ADMIN_PAGES = [
  'users',
  'staffing',
  'hours',
  'channels',
  'organizations',
  'workflows',
  'forms',
  'articles',
  'canned',
  'services',
  'webhooks',
]

describeInBrowser('texts that are code', (world) => {
  const make = async (what: string, input: object): Promise<string> => {
    const { data, errors } = await world.office.gql(
      world.office.owner,
      `mutation ($input: Create${what}Input!) { made: create${what}(input: $input) { id } }`,
      { input },
    )
    expect([what, errors]).toEqual([what, undefined])
    return data.made.id
  }

  /** Makes one of everything that has a name. @returns the conversation */
  async function makeAll(): Promise<string> {
    const { organization, channel } = world.office
    const days = [{ firstDay: '2026-12-25', name: MARK }]
    const calendar = await make('HolidayCalendar', { name: MARK, days })
    const spans = [{ days: ['MON', 'FRI'], opens: '09:00', closes: '17:00' }]
    const schedule = await make('Schedule', { name: MARK, timezone: 'UTC', text: MARK, calendars: [calendar], spans })
    await make('SlaPolicy', { name: MARK, schedule, targets: [{ clock: 'QUEUE', minutes: 5 }] })
    await make('Channel', { organization: organization.id, name: MARK })
    await make('Skill', { name: MARK })
    await make('ReasonCode', { name: MARK })
    await make('Location', { name: MARK, tags: [MARK] })
    await make('OrganizationGroup', { name: MARK, members: [organization.id] })
    await make('Organization', { name: MARK, displayName: MARK, parent: organization.id, tags: [MARK] })
    await make('User', {
      email: 'hostile@harbour.example',
      role: 'AGENT',
      displayName: MARK,
      organization: organization.id,
    })
    await make('CannedResponse', { shortcut: MARK.toLowerCase(), text: MARK })
    await make('Article', { title: MARK, summary: MARK, content: MARK, body: MARK, tags: [MARK] })
    await make('Form', { name: MARK, tags: [MARK], fields: [{ label: MARK, placeholder: MARK, type: 'TEXT' }] })
    await make('Workflow', {
      name: MARK,
      rules: [
        {
          conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value: MARK }] },
          event: { type: 'notify', params: { name: MARK, channels: [channel] } },
        },
      ],
    })
    await make('Service', { name: MARK, type: 'webhook', params: { url: 'https://hook.example/' } })
    await make('Service', { name: MARK, type: 'crm', isOwnType: true, params: { note: MARK } })
    const conversation = await world.office.arrive(MARK, MARK)
    const token = await world.office.tokenFor(world.office.owner)
    const file = (await (await uploadImage(world.office, token, { name: `${MARK}.png` })).json()) as { id: string }
    for (const message of [
      { role: 'AGENT', text: MARK, meta: { fileId: file.id } },
      {
        role: 'AGENT',
        type: 'CARD',
        text: MARK,
        meta: { title: MARK },
        items: [{ title: MARK, description: MARK, actions: [{ type: 'POSTBACK', text: MARK, payload: MARK }] }],
      },
    ]) {
      const sent = await world.office.gql(
        world.office.owner,
        'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }',
        { c: conversation, m: message },
      )
      expect(sent.errors).toBeUndefined()
    }
    return conversation
  }

  /** Past all checks, as if they had failed. @returns how many columns had the mark */
  async function poison(): Promise<number> {
    const { database } = world.office.server
    const columns = await database.query<{ table: string; name: string; type: string }>(
      `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
         and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and format_type(a.atttypid, null) in ('text', 'jsonb', 'text[]') and c.relname not in ('stream', 'job', 'event_default')
         and c.relname not like 'audit%'`,
    )
    let count = 0
    for (const { table, name, type } of columns) {
      const escaped = type === 'jsonb' ? JSON.stringify(HOSTILE).slice(1, -1) : HOSTILE
      const changed =
        type === 'text[]' ? `array_replace("${name}", $1, $2)` : `replace("${name}"::text, $1, $2)::${type}`
      const rows = await database.query(
        `update "${table}" set "${name}" = ${changed} where "${name}"::text like '%' || $1 || '%' returning 1`,
        [MARK, escaped],
      )
      if (rows.length > 0) count += 1
    }
    return count
  }

  /** Nothing has run, and nothing stands in the page that would. */
  async function expectHarmless(page: Page, where: string): Promise<void> {
    expect([where, await page.evaluate(() => (globalThis as { ran?: number }).ran)]).toEqual([where, undefined])
    const found = await page
      .locator('[onerror], [onload], script:not([src]), a[href^="javascript"], img[src="x"], math, [style*="fixed"]')
      .evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML.slice(0, 200)))
    expect([where, found]).toEqual([where, []])
    expect(await page.title()).not.toBe('1')
  }

  it('are shown as text on every page of the console, and nothing of them runs', async () => {
    const conversation = await makeAll()
    expect(await poison()).toBeGreaterThan(20)
    const { page } = await world.openConsole(world.office.owner, `/c/${conversation}`)
    await page.getByRole('log').getByText('<img src=x onerror').first().waitFor()
    await expectHarmless(page, 'the conversation')
    const missing: string[] = []
    for (const name of ADMIN_PAGES) {
      await page.goto(`${world.office.url}/console/admin/${name}`)
      const text = page.getByText('onerror=').or(page.locator('input[value*="onerror="]')).first()
      await text.waitFor({ state: 'attached' }).catch(() => missing.push(name))
      await expectHarmless(page, name)
    }
    expect(missing).toEqual([])
    for (const path of ['queue', 'inbox', 'reports', 'settings', 'search']) {
      await page.goto(`${world.office.url}/console/${path}`)
      await page.getByText('Live', { exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      await expectHarmless(page, path)
    }
  })

  it('are shown as text in the widget, and nothing of them runs', async () => {
    const service = await makeWebService(world.office, { greeting: MARK, title: MARK })
    const { page } = await world.open(`${world.office.url}/widget/demo?service=${service}`)
    const widget = widgetOf(page)
    await widget.open()
    await widget.say(`${MARK} by me`)
    const agent = await agentViewOf(world.office, `${MARK} by me`)
    await agent.answer({
      type: 'CARD',
      text: MARK,
      meta: { title: MARK },
      items: [{ title: MARK, description: MARK, actions: [{ type: 'POSTBACK', text: MARK, payload: MARK }] }],
    })
    await agent.answer({ text: MARK, contentType: 'TEXT_HTML' })
    await poison()
    await page.reload()
    await widget.open()
    await widget.log.getByText('<img src=x onerror').first().waitFor()
    await expectHarmless(page, 'the widget')
  })
})
